#ifndef STUB_SHADOWS
#define STUB_SHADOWS
#include "Packages/com.unity.render-pipelines.universal/ShaderLibrary/Core.hlsl"
float3 ApplyShadowBias(float3 positionWS, float3 normalWS, float3 lightDirection) { return positionWS + normalWS * dot(normalWS, lightDirection); }
#endif
