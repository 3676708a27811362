// A vertex animation texture made by VAT Studio: the clips of "{{name}}", and how its materials look.
// Generated. Include it behind the pipeline's own files; for a shader of your own, vat_animate is what moves a vertex.
#ifndef {{guard}}
#define {{guard}}

CBUFFER_START(UnityPerMaterial)
float4 _BaseMap_ST;
float4 _OrmMap_ST;
float4 _BumpMap_ST;
float4 _OcclusionMap_ST;
float4 _EmissionMap_ST;
float4 _BaseColor;
float4 _EmissionColor;
// Which of the sets in mapsA and mapsB each map has: base, roughness and metalness, normal, occlusion; emission.
float4 _MapSets;
float _EmissionSet;
float _Cutoff;
float _Metallic;
float _Roughness;
float _BumpScale;
float _OcclusionStrength;
// Clip, phase in seconds, speed, and whether a clip that does not loop starts anew when it is over.
float4 _VatPlayback;
// Cross-fade: clip, phase in seconds, how much of it. Where w is 1, both phases are the time in the clip, and time stands still.
float4 _VatFade;
CBUFFER_END

#ifdef UNITY_INSTANCING_ENABLED
UNITY_INSTANCING_BUFFER_START(VatInstance)
UNITY_DEFINE_INSTANCED_PROP(float4, _VatPlayback)
UNITY_DEFINE_INSTANCED_PROP(float4, _VatFade)
UNITY_INSTANCING_BUFFER_END(VatInstance)
#define VAT_PLAYBACK UNITY_ACCESS_INSTANCED_PROP(VatInstance, _VatPlayback)
#define VAT_FADE UNITY_ACCESS_INSTANCED_PROP(VatInstance, _VatFade)
#else
#define VAT_PLAYBACK _VatPlayback
#define VAT_FADE _VatFade
#endif

Texture2D _BaseMap;
Texture2D _OrmMap;
Texture2D _BumpMap;
Texture2D _OcclusionMap;
Texture2D _EmissionMap;
SamplerState sampler_BaseMap;
SamplerState sampler_OrmMap;
SamplerState sampler_BumpMap;
SamplerState sampler_OcclusionMap;
SamplerState sampler_EmissionMap;
{{layer_textures}}
// First row, frames (negative where the clip does not loop), frames a second.
static const float3 VAT_CLIPS[{{clip_count}}] = { {{clips}} };
// Texels a row, rows a frame.
static const float2 VAT_LAYOUT = float2({{layout}});
{{defines}}
{{decode}}
// Unity stores images from the bottom up: row 0 of the file is the last one here.
{{layer_functions}}
// A vertex as the mesh has it. The set of texture coordinates {{index_set}} leads to its texels.
struct VatAttributes {
	float3 position : POSITION;
	float3 normal : NORMAL;
	float4 tangent : TANGENT;
	float4 color : COLOR;
{{attributes}}	UNITY_VERTEX_INPUT_INSTANCE_ID
};

// A vertex where the animation has it, in the space of the mesh.
struct VatVertex {
	float3 position;
	float3 normal;
	float4 tangent;
};

// The rows of the two frames of a clip, and how much of the second one.
float3 vat_rows(float index, float seconds, bool replays) {
	float3 clip_data = VAT_CLIPS[(int)clamp(index + 0.5, 0.0, {{clip_count}}.0 - 0.5)];
	float frame_count = abs(clip_data.y);
	bool loops = clip_data.y > 0.0;
	float duration = (frame_count - 1.0) / clip_data.z;
	if (!loops && replays && duration > 0.0) {
		seconds -= duration * floor(seconds / duration);
	}
	float3 frames = vat_frames(seconds, frame_count, clip_data.z, loops);
	return float3(clip_data.x + frames.xy * VAT_LAYOUT.y, frames.z);
}

VatVertex vat_pose(VatVertex rest, float2 address, float3 rows) {
	VatVertex posed = rest;
	posed.position = lerp(vat_position(address, rows.x), vat_position(address, rows.y), rows.z);
#ifdef VAT_NORMAL
	posed.normal = normalize(lerp(vat_normal(address, rows.x), vat_normal(address, rows.y), rows.z));
#endif
#ifdef VAT_TANGENT
	float4 tangent = vat_tangent(address, rows.x);
	posed.tangent = float4(normalize(lerp(tangent.xyz, vat_tangent(address, rows.y).xyz, rows.z)), tangent.w < 0.0 ? -1.0 : 1.0);
#endif
	return posed;
}

// Where a vertex is at a time. Texture coordinates are counted from the bottom here, texels of a frame from the top.
VatVertex vat_animate(float3 position, float3 normal, float4 tangent, float2 index_uv, float4 playback, float4 fade, float seconds) {
	VatVertex rest;
	rest.position = position;
	rest.normal = normal;
	rest.tangent = tangent;
	float2 address = vat_address(float2(index_uv.x, 1.0 - index_uv.y), VAT_LAYOUT);
	bool manual = fade.w > 0.5;
	bool replays = playback.w > 0.5 && !manual;
	float time = manual ? 0.0 : seconds * playback.z;
	VatVertex posed = vat_pose(rest, address, vat_rows(playback.x, time + playback.y, replays));
	if (fade.z > 0.0) {
		VatVertex next = vat_pose(rest, address, vat_rows(fade.x, time + fade.y, replays));
		posed.position = lerp(posed.position, next.position, fade.z);
		posed.normal = normalize(lerp(posed.normal, next.normal, fade.z));
		posed.tangent.xyz = normalize(lerp(posed.tangent.xyz, next.tangent.xyz, fade.z));
	}
#ifdef VAT_OFFSET
	posed.position += position;
#endif
	return posed;
}

// The same with all that the material or the instance says.
VatVertex vat_vertex(VatAttributes input) {
	return vat_animate(input.position, input.normal, input.tangent, input.uv{{index_set}}, VAT_PLAYBACK, VAT_FADE, _Time.y);
}

// The sets of texture coordinates that maps refer to, two by two.
float4 vat_maps_a(VatAttributes input) {
	return float4({{maps_a}});
}

float4 vat_maps_b(VatAttributes input) {
	return float4({{maps_b}});
}

float2 vat_map_uv(float4 maps_a, float4 maps_b, float place, float4 scale_offset) {
	float2 uv = place < 0.5 ? maps_a.xy : place < 1.5 ? maps_a.zw : place < 2.5 ? maps_b.xy : maps_b.zw;
	return uv * scale_offset.xy + scale_offset.zw;
}

// Color and opacity, after the cut-off of masked materials.
float4 vat_base_color(float4 maps_a, float4 maps_b, float4 color) {
	float4 base = _BaseMap.Sample(sampler_BaseMap, vat_map_uv(maps_a, maps_b, _MapSets.x, _BaseMap_ST)) * _BaseColor;
#ifdef VAT_COLOR
	base *= color;
#endif
#ifdef _ALPHATEST_ON
	clip(base.a - _Cutoff);
#endif
	return base;
}

// Roughness and metalness: (metallic, smoothness, occlusion).
float3 vat_surface(float4 maps_a, float4 maps_b) {
	float4 orm = _OrmMap.Sample(sampler_OrmMap, vat_map_uv(maps_a, maps_b, _MapSets.y, _OrmMap_ST));
	float occlusion = _OcclusionMap.Sample(sampler_OcclusionMap, vat_map_uv(maps_a, maps_b, _MapSets.w, _OcclusionMap_ST)).r;
	return float3(orm.b * _Metallic, 1.0 - orm.g * _Roughness, lerp(1.0, occlusion, _OcclusionStrength));
}

float3 vat_emission(float4 maps_a, float4 maps_b) {
	return _EmissionMap.Sample(sampler_EmissionMap, vat_map_uv(maps_a, maps_b, _EmissionSet, _EmissionMap_ST)).rgb * _EmissionColor.rgb;
}

// The direction of the surface in the world, by the normal map where the material has one.
float3 vat_normal_in_world(float4 maps_a, float4 maps_b, float3 normal, float4 tangent) {
#ifdef _NORMALMAP
	float4 texel = _BumpMap.Sample(sampler_BumpMap, vat_map_uv(maps_a, maps_b, _MapSets.z, _BumpMap_ST));
#ifdef UNITY_CG_INCLUDED
	float3 turned = UnpackNormalWithScale(texel, _BumpScale);
#else
	float3 turned = UnpackNormalScale(texel, _BumpScale);
#endif
	float3 bitangent = cross(normal, tangent.xyz) * tangent.w;
	return normalize(turned.x * tangent.xyz + turned.y * bitangent + turned.z * normal);
#else
	return normalize(normal);
#endif
}

#endif
