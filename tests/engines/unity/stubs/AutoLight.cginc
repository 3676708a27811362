#ifndef STUB_AUTO_LIGHT
#define STUB_AUTO_LIGHT
#define UNITY_SHADOW_COORDS(index) float4 _ShadowCoord : TEXCOORD##index;
#define UNITY_TRANSFER_SHADOW(o, uv) o._ShadowCoord = mul(unity_MatrixVP, mul(unity_ObjectToWorld, v.vertex))
#define UNITY_LIGHT_ATTENUATION(destination, input, worldPos) float destination = input._ShadowCoord.w
#endif
