#ifndef UNITY_CG_INCLUDED
#define UNITY_CG_INCLUDED
#include "Macros.hlsl"
float4 UnityObjectToClipPos(float3 position) { return mul(unity_MatrixVP, mul(unity_ObjectToWorld, float4(position, 1.0))); }
float3 UnityObjectToWorldNormal(float3 normal) { return normalize(mul(normal, (float3x3)unity_WorldToObject)); }
float3 UnityObjectToWorldDir(float3 direction) { return normalize(mul((float3x3)unity_ObjectToWorld, direction)); }
float3 UnityWorldSpaceViewDir(float3 position) { return -position; }
float3 UnityWorldSpaceLightDir(float3 position) { return _WorldSpaceLightPos0.xyz - position; }
float3 ShadeSH9(float4 normal) { return normal.xyz; }
float3 UnpackNormalWithScale(float4 packed, float scale) { return normalize(float3((packed.xy * 2.0 - 1.0) * scale, 1.0)); }
#define UNITY_FOG_COORDS(index) float fogCoord : TEXCOORD##index;
#define UNITY_TRANSFER_FOG(o, position) o.fogCoord = (position).z
#define UNITY_APPLY_FOG(coord, color) color.rgb *= coord
#define UNITY_APPLY_FOG_COLOR(coord, color, fogColor) color.rgb = lerp(fogColor.rgb, color.rgb, coord)
#define V2F_SHADOW_CASTER float4 pos : SV_POSITION
#define TRANSFER_SHADOW_CASTER_NORMALOFFSET(o) o.pos = UnityObjectToClipPos(v.vertex.xyz + v.normal * 0.001);
#define SHADOW_CASTER_FRAGMENT(i) return 0;
#endif
