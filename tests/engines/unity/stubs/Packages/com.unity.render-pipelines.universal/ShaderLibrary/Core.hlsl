#ifndef STUB_CORE
#define STUB_CORE
#include "Macros.hlsl"
#define UNITY_REVERSED_Z 1
#define UNITY_NEAR_CLIP_VALUE (1.0)
float3 TransformObjectToWorld(float3 positionOS) { return mul(unity_ObjectToWorld, float4(positionOS, 1.0)).xyz; }
float4 TransformWorldToHClip(float3 positionWS) { return mul(unity_MatrixVP, float4(positionWS, 1.0)); }
float4 TransformObjectToHClip(float3 positionOS) { return TransformWorldToHClip(TransformObjectToWorld(positionOS)); }
float3 TransformObjectToWorldNormal(float3 normalOS) { return normalize(mul(normalOS, (float3x3)unity_WorldToObject)); }
float3 TransformObjectToWorldDir(float3 directionOS) { return normalize(mul((float3x3)unity_ObjectToWorld, directionOS)); }
float GetOddNegativeScale() { return unity_WorldTransformParams.w; }
float3 GetWorldSpaceNormalizeViewDir(float3 positionWS) { return normalize(-positionWS); }
float ComputeFogFactor(float z) { return z; }
float3 MixFog(float3 color, float factor) { return color * factor; }
float2 GetNormalizedScreenSpaceUV(float4 positionCS) { return positionCS.xy; }
float3 UnpackNormalScale(float4 packed, float scale) { return normalize(float3((packed.xy * 2.0 - 1.0) * scale, 1.0)); }
float2 PackNormalOctQuadEncode(float3 n) { return n.xy; }
float3 PackFloat2To888(float2 f) { return float3(f, 0.0); }
#endif
