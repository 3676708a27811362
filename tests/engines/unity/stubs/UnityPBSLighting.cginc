#ifndef STUB_PBS
#define STUB_PBS
#include "UnityCG.cginc"
struct SurfaceOutputStandard {
	float3 Albedo;
	float3 Normal;
	half3 Emission;
	half Metallic;
	half Smoothness;
	half Occlusion;
	float Alpha;
};
struct UnityLight {
	half3 color;
	half3 dir;
	half ndotl;
};
struct UnityIndirect {
	half3 diffuse;
	half3 specular;
};
struct UnityGI {
	UnityLight light;
	UnityIndirect indirect;
};
struct UnityGIInput {
	UnityLight light;
	float3 worldPos;
	half3 worldViewDir;
	half atten;
	half3 ambient;
	float4 lightmapUV;
	float4 probeHDR[2];
};
cbuffer StubLight {
	float4 _LightColor0;
};
void LightingStandard_GI(SurfaceOutputStandard s, UnityGIInput data, inout UnityGI gi) { gi.indirect.diffuse = data.ambient * s.Occlusion; }
half4 LightingStandard(SurfaceOutputStandard s, float3 viewDir, UnityGI gi) {
	return half4(s.Albedo * gi.light.color * dot(viewDir, gi.light.dir) + gi.indirect.diffuse, s.Alpha);
}
#endif
