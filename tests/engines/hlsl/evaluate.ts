import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { decode as decodePng } from 'fast-png'
import type { Sidecar } from '../../../main/bake/sidecar.ts'
import { readExr } from '../../player/read-exr.ts'

const run = promisify(execFile)

/** A call of the shader's code: its numbers by the names of its inputs. */
export type Call = Record<string, number | number[]>

/**
 * Makes a program of a bake's HLSL, and runs it for each call.
 *
 * @param before declarations; its structures and functions
 * @param body statements that end with `return` of a float3, and set the outputs
 * @param textures file of each texture that the code reads by name
 * @param outputs names of what it sets besides
 * @returns for each call what is returned, and then each output, three numbers each
 */
export async function evaluateHlsl(
  folder: string,
  { before = '', body, textures, outputs = [] }: { before?: string; body: string; textures: Record<string, string>; outputs?: string[] },
  calls: Call[],
): Promise<number[][]> {
  const names = Object.keys(calls[0])
  const images = await Promise.all(Object.entries(textures).map(async ([name, file]) => ({ name, ...(await writeTexels(file, join(folder, `${name}.texels`))) })))
  const sizeOf = (name: string) => [calls[0][name]].flat().length
  const type = (size: number) => (size === 1 ? 'float' : `float${size}`)
  const source = `#include "${join(import.meta.dirname, 'hlsl.h')}"
${images.map(({ name }) => `Texture2D ${name};`).join('\n')}
${before}
float3 evaluate(${[...names.map((name) => `${type(sizeOf(name))} ${name}`), ...outputs.map((name) => `float3 &${name}`)].join(', ')}) {
${body}
}
int main() {
  ${images.map(({ name, file, width, height }) => `Texels of_${name}; if (!of_${name}.read("${file}", ${width}, ${height})) return 2; ${name}.texels = &of_${name};`).join('\n  ')}
  for (;;) {
    double in[${names.reduce((sum, name) => sum + sizeOf(name), 0)}];
    for (double &value : in) if (scanf("%lf", &value) != 1) return 0;
    int at = 0;
    ${names.map((name) => `${type(sizeOf(name))} ${name}; ${partsOf(name, sizeOf(name)).map((part) => `${part} = in[at++];`).join(' ')}`).join('\n    ')}
    ${outputs.map((name) => `float3 ${name};`).join(' ')}
    const float3 result = evaluate(${[...names, ...outputs].join(', ')});
    ${['result', ...outputs].map((name) => `printf("%.9g %.9g %.9g ", ${name}.x, ${name}.y, ${name}.z);`).join(' ')}
    puts("");
  }
}
`
  const file = join(folder, 'evaluate.cpp')
  await writeFile(file, source)
  await run('g++', ['-std=c++17', '-O1', '-o', join(folder, 'evaluate'), file])
  const input = join(folder, 'calls.txt')
  await writeFile(input, calls.map((call) => names.flatMap((name) => call[name]).join(' ')).join('\n'))
  const { stdout } = await run('sh', ['-c', '"$0" < "$1"', join(folder, 'evaluate'), input], { maxBuffer: 1 << 28 })
  return stdout.trim().split('\n').map((line) => line.trim().split(' ').map(Number))
}

function partsOf(name: string, size: number): string[] {
  return size === 1 ? [name] : ['x', 'y', 'z', 'w'].slice(0, size).map((part) => `${name}.${part}`)
}

/** The texels of a bake's texture as a graphics card gives them to a shader: unorm as 0 to 1, missing colours 0, missing alpha 1. */
async function writeTexels(from: string, file: string): Promise<{ file: string; width: number; height: number }> {
  const bytes = await readFile(from)
  if (from.endsWith('.exr')) {
    const { width, height, channels } = readExr(bytes)
    const texels = new Float32Array(width * height * 4).map((_, index) => (index % 4 === 3 ? 1 : 0))
    for (const [name, { values }] of channels) values.forEach((value, index) => (texels[index * 4 + 'RGBA'.indexOf(name)] = value))
    await writeFile(file, texels)
    return { file, width, height }
  }
  const { width, height, channels, depth, data } = decodePng(bytes)
  const texels = new Float32Array(width * height * 4).map((_, index) => (index % 4 === 3 ? 1 : 0))
  data.forEach((value, index) => (texels[Math.floor(index / channels) * 4 + (index % channels)] = value / (2 ** depth - 1)))
  await writeFile(file, texels)
  return { file, width, height }
}

/** The file of each role of a bake. */
export function texturesOf(sidecarFile: string, { textures }: Pick<Sidecar, 'textures'>, nameOf: (role: string) => string): Record<string, string> {
  const files = new Map<string, string>()
  for (const { role, file } of textures) if (!files.has(file)) files.set(file, nameOf(role))
  return Object.fromEntries([...files].map(([file, name]) => [name, join(dirname(sidecarFile), file)]))
}

/** The index UV of a vertex, from the layout alone. Source: resources/docs/vat-format.md. */
export function indexUV(vertex: number, { columnsPerRow, rowsPerFrame }: Sidecar['layout']): [number, number] {
  return [((vertex % columnsPerRow) + 0.5) / columnsPerRow, (Math.floor(vertex / columnsPerRow) + 0.5) / rowsPerFrame]
}
