// Stands in for what both of Unity's pipelines define: names and kinds as in their own files, bodies without meaning.
#ifndef STUB_MACROS
#define STUB_MACROS
#define half float
#define half2 float2
#define half3 float3
#define half4 float4
#define half3x3 float3x3
#define CBUFFER_START(name) cbuffer name {
#define CBUFFER_END };
#ifdef INSTANCING_ON
#define UNITY_INSTANCING_ENABLED
#define UNITY_VERTEX_INPUT_INSTANCE_ID uint instanceID : SV_InstanceID;
#define UNITY_INSTANCING_BUFFER_START(name) cbuffer UnityInstancing_##name { struct {
#define UNITY_DEFINE_INSTANCED_PROP(type, name) type name;
#define UNITY_INSTANCING_BUFFER_END(name) } name##Array[64]; };
#define UNITY_ACCESS_INSTANCED_PROP(buffer, name) buffer##Array[unity_InstanceID].name
static uint unity_InstanceID;
#define UNITY_SETUP_INSTANCE_ID(input) unity_InstanceID = input.instanceID
#define UNITY_TRANSFER_INSTANCE_ID(input, output) output.instanceID = input.instanceID
#else
#define UNITY_VERTEX_INPUT_INSTANCE_ID
#define UNITY_SETUP_INSTANCE_ID(input)
#define UNITY_TRANSFER_INSTANCE_ID(input, output)
#endif
#define UNITY_VERTEX_OUTPUT_STEREO
#define UNITY_INITIALIZE_VERTEX_OUTPUT_STEREO(output)
#define UNITY_SETUP_STEREO_EYE_INDEX_POST_VERTEX(input)
cbuffer StubPerDraw {
	float4 _Time;
	float4x4 unity_ObjectToWorld;
	float4x4 unity_WorldToObject;
	float4x4 unity_MatrixVP;
	float4 unity_WorldTransformParams;
	float4 _WorldSpaceLightPos0;
	float4 unity_SpecCube0_HDR;
	float4 unity_SpecCube1_HDR;
};
#endif
