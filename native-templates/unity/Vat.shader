// Draws a vertex animation texture made by VAT Studio: in the Universal Render Pipeline, and in the built-in one.
Shader "VAT Studio/{{name}}" {
	Properties {
		[MainColor] _BaseColor("Color", Color) = (1, 1, 1, 1)
		[MainTexture] _BaseMap("Color map", 2D) = "white" {}
		_Metallic("Metallic", Range(0, 1)) = 1
		_Roughness("Roughness", Range(0, 1)) = 1
		_OrmMap("Roughness (green) and metalness (blue)", 2D) = "white" {}
		[Toggle(_NORMALMAP)] _UseBumpMap("Normal map is used", Float) = 0
		_BumpScale("Normal scale", Float) = 1
		[Normal] _BumpMap("Normal map", 2D) = "bump" {}
		_OcclusionStrength("Occlusion strength", Range(0, 1)) = 1
		_OcclusionMap("Occlusion map", 2D) = "white" {}
		[HDR] _EmissionColor("Emission", Color) = (0, 0, 0, 1)
		_EmissionMap("Emission map", 2D) = "white" {}
		[Toggle(VAT_COLOR)] _UseColors("Colors of vertices are used", Float) = 0
		[Toggle(VAT_UNLIT)] _Unlit("Unlit", Float) = 0
		[Toggle(_ALPHATEST_ON)] _AlphaClip("Cut out", Float) = 0
		_Cutoff("Alpha below which it is cut out", Range(0, 1)) = 0.5
		[Header(Animation)]
		_VatPlayback("Clip, phase (s), speed, replay (0 or 1)", Vector) = (0, 0, 1, 1)
		_VatFade("Next clip, its phase (s), how much of it, manual (0 or 1)", Vector) = (0, 0, 0, 0)
{{layer_properties}}		[HideInInspector] _MapSets("Sets of texture coordinates", Vector) = (0, 0, 0, 0)
		[HideInInspector] _EmissionSet("Set of the emission map", Float) = 0
		[HideInInspector] _Cull("Cull", Float) = 2
		[HideInInspector] _SrcBlend("Source blend", Float) = 1
		[HideInInspector] _DstBlend("Destination blend", Float) = 0
		[HideInInspector] _ZWrite("Depth write", Float) = 1
	}

	SubShader {
		PackageRequirements { "com.unity.render-pipelines.universal": "14.0" }
		Tags { "RenderPipeline" = "UniversalPipeline" "RenderType" = "Opaque" "DisableBatching" = "True" }
		Cull [_Cull]

		Pass {
			Name "ForwardLit"
			Tags { "LightMode" = "UniversalForward" }
			Blend [_SrcBlend] [_DstBlend]
			ZWrite [_ZWrite]

			HLSLPROGRAM
			#pragma target 3.5
			#pragma vertex vert
			#pragma fragment frag
			#pragma shader_feature_local _NORMALMAP
			#pragma shader_feature_local_fragment _ALPHATEST_ON
			#pragma shader_feature_local_fragment VAT_COLOR
			#pragma shader_feature_local_fragment VAT_UNLIT
			#pragma multi_compile _ _MAIN_LIGHT_SHADOWS _MAIN_LIGHT_SHADOWS_CASCADE _MAIN_LIGHT_SHADOWS_SCREEN
			#pragma multi_compile _ _ADDITIONAL_LIGHTS_VERTEX _ADDITIONAL_LIGHTS
			#pragma multi_compile_fragment _ _ADDITIONAL_LIGHT_SHADOWS
			#pragma multi_compile_fragment _ _SHADOWS_SOFT
			#pragma multi_compile_fragment _ _SCREEN_SPACE_OCCLUSION
			#pragma multi_compile _ _FORWARD_PLUS _CLUSTER_LIGHT_LOOP
			#pragma multi_compile_fog
			#pragma multi_compile_instancing
			#include "Packages/com.unity.render-pipelines.universal/ShaderLibrary/Core.hlsl"
			#include "Packages/com.unity.render-pipelines.universal/ShaderLibrary/Lighting.hlsl"
			#include "{{include}}"

			struct Varyings {
				float4 positionCS : SV_POSITION;
				float3 positionWS : TEXCOORD0;
				float3 normalWS : TEXCOORD1;
				float4 tangentWS : TEXCOORD2;
				float4 mapsA : TEXCOORD3;
				float4 mapsB : TEXCOORD4;
				float4 color : TEXCOORD5;
				float fog : TEXCOORD6;
				UNITY_VERTEX_INPUT_INSTANCE_ID
				UNITY_VERTEX_OUTPUT_STEREO
			};

			Varyings vert(VatAttributes input) {
				Varyings output = (Varyings)0;
				UNITY_SETUP_INSTANCE_ID(input);
				UNITY_TRANSFER_INSTANCE_ID(input, output);
				UNITY_INITIALIZE_VERTEX_OUTPUT_STEREO(output);
				VatVertex animated = vat_vertex(input);
				output.positionWS = TransformObjectToWorld(animated.position);
				output.positionCS = TransformWorldToHClip(output.positionWS);
				output.normalWS = TransformObjectToWorldNormal(animated.normal);
				output.tangentWS = float4(TransformObjectToWorldDir(animated.tangent.xyz), animated.tangent.w * GetOddNegativeScale());
				output.mapsA = vat_maps_a(input);
				output.mapsB = vat_maps_b(input);
				output.color = input.color;
				output.fog = ComputeFogFactor(output.positionCS.z);
				return output;
			}

			half4 frag(Varyings input) : SV_Target {
				UNITY_SETUP_INSTANCE_ID(input);
				UNITY_SETUP_STEREO_EYE_INDEX_POST_VERTEX(input);
				float4 base = vat_base_color(input.mapsA, input.mapsB, input.color);
			#ifdef VAT_UNLIT
				return half4(MixFog(base.rgb, input.fog), base.a);
			#else
				float3 surface = vat_surface(input.mapsA, input.mapsB);
				SurfaceData surfaceData = (SurfaceData)0;
				surfaceData.albedo = base.rgb;
				surfaceData.alpha = base.a;
				surfaceData.metallic = surface.x;
				surfaceData.smoothness = surface.y;
				surfaceData.occlusion = surface.z;
				surfaceData.emission = vat_emission(input.mapsA, input.mapsB);
				surfaceData.normalTS = half3(0, 0, 1);
				InputData inputData = (InputData)0;
				inputData.positionWS = input.positionWS;
				inputData.normalWS = vat_normal_in_world(input.mapsA, input.mapsB, normalize(input.normalWS), input.tangentWS);
				inputData.viewDirectionWS = GetWorldSpaceNormalizeViewDir(input.positionWS);
				inputData.shadowCoord = TransformWorldToShadowCoord(input.positionWS);
				inputData.fogCoord = input.fog;
				inputData.bakedGI = SampleSH(inputData.normalWS);
				inputData.normalizedScreenSpaceUV = GetNormalizedScreenSpaceUV(input.positionCS);
				inputData.shadowMask = half4(1, 1, 1, 1);
				half4 color = UniversalFragmentPBR(inputData, surfaceData);
				return half4(MixFog(color.rgb, input.fog), base.a);
			#endif
			}
			ENDHLSL
		}

		Pass {
			Name "ShadowCaster"
			Tags { "LightMode" = "ShadowCaster" }
			ColorMask 0

			HLSLPROGRAM
			#pragma target 3.5
			#pragma vertex vert
			#pragma fragment frag
			#pragma shader_feature_local_fragment _ALPHATEST_ON
			#pragma multi_compile_vertex _ _CASTING_PUNCTUAL_LIGHT_SHADOW
			#pragma multi_compile_instancing
			#include "Packages/com.unity.render-pipelines.universal/ShaderLibrary/Core.hlsl"
			#include "Packages/com.unity.render-pipelines.universal/ShaderLibrary/Shadows.hlsl"
			#include "{{include}}"

			float3 _LightDirection;
			float3 _LightPosition;

			struct Varyings {
				float4 positionCS : SV_POSITION;
				float4 mapsA : TEXCOORD0;
				float4 mapsB : TEXCOORD1;
			};

			Varyings vert(VatAttributes input) {
				Varyings output = (Varyings)0;
				UNITY_SETUP_INSTANCE_ID(input);
				VatVertex animated = vat_vertex(input);
				float3 positionWS = TransformObjectToWorld(animated.position);
				float3 normalWS = TransformObjectToWorldNormal(animated.normal);
			#ifdef _CASTING_PUNCTUAL_LIGHT_SHADOW
				float3 direction = normalize(_LightPosition - positionWS);
			#else
				float3 direction = _LightDirection;
			#endif
				output.positionCS = TransformWorldToHClip(ApplyShadowBias(positionWS, normalWS, direction));
			#ifdef UNITY_REVERSED_Z
				output.positionCS.z = min(output.positionCS.z, UNITY_NEAR_CLIP_VALUE);
			#else
				output.positionCS.z = max(output.positionCS.z, UNITY_NEAR_CLIP_VALUE);
			#endif
				output.mapsA = vat_maps_a(input);
				output.mapsB = vat_maps_b(input);
				return output;
			}

			half4 frag(Varyings input) : SV_Target {
				vat_base_color(input.mapsA, input.mapsB, float4(1, 1, 1, 1));
				return 0;
			}
			ENDHLSL
		}

		Pass {
			Name "DepthOnly"
			Tags { "LightMode" = "DepthOnly" }
			ColorMask R

			HLSLPROGRAM
			#pragma target 3.5
			#pragma vertex vert
			#pragma fragment frag
			#pragma shader_feature_local_fragment _ALPHATEST_ON
			#pragma multi_compile_instancing
			#include "Packages/com.unity.render-pipelines.universal/ShaderLibrary/Core.hlsl"
			#include "{{include}}"

			struct Varyings {
				float4 positionCS : SV_POSITION;
				float4 mapsA : TEXCOORD0;
				float4 mapsB : TEXCOORD1;
				UNITY_VERTEX_OUTPUT_STEREO
			};

			Varyings vert(VatAttributes input) {
				Varyings output = (Varyings)0;
				UNITY_SETUP_INSTANCE_ID(input);
				UNITY_INITIALIZE_VERTEX_OUTPUT_STEREO(output);
				output.positionCS = TransformObjectToHClip(vat_vertex(input).position);
				output.mapsA = vat_maps_a(input);
				output.mapsB = vat_maps_b(input);
				return output;
			}

			half4 frag(Varyings input) : SV_Target {
				vat_base_color(input.mapsA, input.mapsB, float4(1, 1, 1, 1));
				return input.positionCS.z;
			}
			ENDHLSL
		}

		Pass {
			Name "DepthNormals"
			Tags { "LightMode" = "DepthNormals" }

			HLSLPROGRAM
			#pragma target 3.5
			#pragma vertex vert
			#pragma fragment frag
			#pragma shader_feature_local _NORMALMAP
			#pragma shader_feature_local_fragment _ALPHATEST_ON
			#pragma multi_compile_fragment _ _GBUFFER_NORMALS_OCT
			#pragma multi_compile_instancing
			#include "Packages/com.unity.render-pipelines.universal/ShaderLibrary/Core.hlsl"
			#include "{{include}}"

			struct Varyings {
				float4 positionCS : SV_POSITION;
				float3 normalWS : TEXCOORD0;
				float4 tangentWS : TEXCOORD1;
				float4 mapsA : TEXCOORD2;
				float4 mapsB : TEXCOORD3;
				UNITY_VERTEX_INPUT_INSTANCE_ID
				UNITY_VERTEX_OUTPUT_STEREO
			};

			Varyings vert(VatAttributes input) {
				Varyings output = (Varyings)0;
				UNITY_SETUP_INSTANCE_ID(input);
				UNITY_TRANSFER_INSTANCE_ID(input, output);
				UNITY_INITIALIZE_VERTEX_OUTPUT_STEREO(output);
				VatVertex animated = vat_vertex(input);
				output.positionCS = TransformObjectToHClip(animated.position);
				output.normalWS = TransformObjectToWorldNormal(animated.normal);
				output.tangentWS = float4(TransformObjectToWorldDir(animated.tangent.xyz), animated.tangent.w * GetOddNegativeScale());
				output.mapsA = vat_maps_a(input);
				output.mapsB = vat_maps_b(input);
				return output;
			}

			half4 frag(Varyings input) : SV_Target {
				UNITY_SETUP_INSTANCE_ID(input);
				UNITY_SETUP_STEREO_EYE_INDEX_POST_VERTEX(input);
				vat_base_color(input.mapsA, input.mapsB, float4(1, 1, 1, 1));
				float3 normal = vat_normal_in_world(input.mapsA, input.mapsB, normalize(input.normalWS), input.tangentWS);
			#ifdef _GBUFFER_NORMALS_OCT
				float2 folded = saturate(PackNormalOctQuadEncode(normal) * 0.5 + 0.5);
				return half4(PackFloat2To888(folded), 0);
			#else
				return half4(normal, 0);
			#endif
			}
			ENDHLSL
		}
	}

	SubShader {
		Tags { "RenderType" = "Opaque" "DisableBatching" = "True" }
		Cull [_Cull]

		Pass {
			Name "ForwardBase"
			Tags { "LightMode" = "ForwardBase" }
			Blend [_SrcBlend] [_DstBlend]
			ZWrite [_ZWrite]

			HLSLPROGRAM
			#pragma target 3.5
			#pragma vertex vert
			#pragma fragment frag
			#pragma shader_feature_local _NORMALMAP
			#pragma shader_feature_local _ALPHATEST_ON
			#pragma shader_feature_local VAT_COLOR
			#pragma shader_feature_local VAT_UNLIT
			#pragma multi_compile_fwdbase
			#pragma multi_compile_fog
			#pragma multi_compile_instancing
			#include "UnityCG.cginc"
			#include "UnityPBSLighting.cginc"
			#include "AutoLight.cginc"
			#include "{{include}}"
			#include "{{builtin}}"

			float4 frag(BuiltInVaryings input) : SV_Target {
				UNITY_SETUP_INSTANCE_ID(input);
				float4 base = vat_base_color(input.mapsA, input.mapsB, input.color);
			#ifdef VAT_UNLIT
				float4 color = base;
			#else
				SurfaceOutputStandard surface = built_in_surface(input, base);
				float3 view = normalize(UnityWorldSpaceViewDir(input.worldPos));
				UNITY_LIGHT_ATTENUATION(attenuation, input, input.worldPos);
				UnityGIInput giInput = (UnityGIInput)0;
				giInput.light.color = _LightColor0.rgb;
				giInput.light.dir = _WorldSpaceLightPos0.xyz;
				giInput.worldPos = input.worldPos;
				giInput.worldViewDir = view;
				giInput.atten = attenuation;
				giInput.ambient = ShadeSH9(float4(surface.Normal, 1.0));
				giInput.probeHDR[0] = unity_SpecCube0_HDR;
				giInput.probeHDR[1] = unity_SpecCube1_HDR;
				UnityGI gi = (UnityGI)0;
				gi.light = giInput.light;
				LightingStandard_GI(surface, giInput, gi);
				float4 color = LightingStandard(surface, view, gi);
				color.rgb += surface.Emission;
				color.a = base.a;
			#endif
				UNITY_APPLY_FOG(input.fogCoord, color);
				return color;
			}
			ENDHLSL
		}

		Pass {
			Name "ForwardAdd"
			Tags { "LightMode" = "ForwardAdd" }
			Blend [_SrcBlend] One
			ZWrite Off

			HLSLPROGRAM
			#pragma target 3.5
			#pragma vertex vert
			#pragma fragment frag
			#pragma shader_feature_local _NORMALMAP
			#pragma shader_feature_local _ALPHATEST_ON
			#pragma shader_feature_local VAT_COLOR
			#pragma shader_feature_local VAT_UNLIT
			#pragma multi_compile_fwdadd_fullshadows
			#pragma multi_compile_fog
			#pragma multi_compile_instancing
			#include "UnityCG.cginc"
			#include "UnityPBSLighting.cginc"
			#include "AutoLight.cginc"
			#include "{{include}}"
			#include "{{builtin}}"

			float4 frag(BuiltInVaryings input) : SV_Target {
				UNITY_SETUP_INSTANCE_ID(input);
				float4 base = vat_base_color(input.mapsA, input.mapsB, input.color);
			#ifdef VAT_UNLIT
				return float4(0, 0, 0, 0);
			#else
				SurfaceOutputStandard surface = built_in_surface(input, base);
				UNITY_LIGHT_ATTENUATION(attenuation, input, input.worldPos);
				UnityGI gi = (UnityGI)0;
				gi.light.color = _LightColor0.rgb * attenuation;
				gi.light.dir = normalize(UnityWorldSpaceLightDir(input.worldPos));
				float4 color = LightingStandard(surface, normalize(UnityWorldSpaceViewDir(input.worldPos)), gi);
				color.a = base.a;
				UNITY_APPLY_FOG_COLOR(input.fogCoord, color, float4(0, 0, 0, 0));
				return color;
			#endif
			}
			ENDHLSL
		}

		Pass {
			Name "ShadowCaster"
			Tags { "LightMode" = "ShadowCaster" }

			HLSLPROGRAM
			#pragma target 3.5
			#pragma vertex vert
			#pragma fragment frag
			#pragma shader_feature_local _ALPHATEST_ON
			#pragma multi_compile_shadowcaster
			#pragma multi_compile_instancing
			#include "UnityCG.cginc"
			#include "{{include}}"

			struct Varyings {
				V2F_SHADOW_CASTER;
				float4 mapsA : TEXCOORD1;
				float4 mapsB : TEXCOORD2;
			};

			// The names that Unity's macro looks for.
			struct Caster {
				float4 vertex;
				float3 normal;
			};

			Varyings vert(VatAttributes input) {
				UNITY_SETUP_INSTANCE_ID(input);
				Varyings output = (Varyings)0;
				VatVertex animated = vat_vertex(input);
				Caster v;
				v.vertex = float4(animated.position, 1.0);
				v.normal = animated.normal;
				TRANSFER_SHADOW_CASTER_NORMALOFFSET(output)
				output.mapsA = vat_maps_a(input);
				output.mapsB = vat_maps_b(input);
				return output;
			}

			float4 frag(Varyings input) : SV_Target {
				vat_base_color(input.mapsA, input.mapsB, float4(1, 1, 1, 1));
				SHADOW_CASTER_FRAGMENT(input)
			}
			ENDHLSL
		}
	}
}
