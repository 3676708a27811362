/** A number as a literal of GLSL and its relatives: always with a point or an exponent, at full precision. */
export function glslFloat(value: number): string {
  const text = String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}

/** `vec2`, `vec3` or `vec4` of these numbers; one number stands for itself. */
export function glslVector(values: readonly number[]): string {
  const numbers = values.map(glslFloat).join(', ')
  return values.length === 1 ? numbers : `vec${values.length}(${numbers})`
}

/** The same in the words of HLSL: `float2`, `float3` or `float4`. */
export function hlslVector(values: readonly number[]): string {
  return glslVector(values).replace(/^vec/, 'float')
}
