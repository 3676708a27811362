#ifndef STUB_LIGHTING
#define STUB_LIGHTING
#include "Packages/com.unity.render-pipelines.universal/ShaderLibrary/Core.hlsl"
struct SurfaceData {
	half3 albedo;
	half3 specular;
	half metallic;
	half smoothness;
	half3 normalTS;
	half3 emission;
	half occlusion;
	half alpha;
	half clearCoatMask;
	half clearCoatSmoothness;
};
struct InputData {
	float3 positionWS;
	float4 positionCS;
	float3 normalWS;
	half3 viewDirectionWS;
	float4 shadowCoord;
	half fogCoord;
	half3 vertexLighting;
	half3 bakedGI;
	float2 normalizedScreenSpaceUV;
	half4 shadowMask;
	half3x3 tangentToWorld;
};
float4 TransformWorldToShadowCoord(float3 positionWS) { return float4(positionWS, 1.0); }
half3 SampleSH(half3 normalWS) { return normalWS; }
half4 UniversalFragmentPBR(InputData inputData, SurfaceData surfaceData) { return half4(surfaceData.albedo * inputData.bakedGI, surfaceData.alpha); }
#endif
