import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { type CallToolResult, ListRootsRequestSchema, type Progress } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { bakeResult, inspectResult, planResult, verifyResult } from '../../main/bake/contract.ts'
import { bakeOptions, TARGETS } from '../../main/bake/options.ts'
import { writeModel } from './models.ts'
import { bake, contents, fox, remains, run, temporaryFolder, tornFiles } from './program.ts'

/*
 * `mcp` as a process, spoken to by the protocol's own client, and by hand.
 */

const folder = temporaryFolder()
const inside = join(folder, 'inside')
const outside = join(folder, 'outside')

beforeAll(() => {
  for (const place of [inside, outside]) mkdirSync(place)
  for (const place of [inside, outside]) writeFileSync(join(place, 'Fox.glb'), readFileSync(fox))
  writeModel(join(inside, 'small.gltf'))
  symlinkSync(outside, join(inside, 'link'), 'junction')
})

let client: Client
afterEach(() => client?.close())

/** Starts the server and connects to it. */
async function connect({ allow = [inside], roots }: { allow?: string[]; roots?: string[] } = {}): Promise<Client> {
  client = new Client({ name: 'test', version: '1' }, { capabilities: roots ? { roots: { listChanged: true } } : {} })
  if (roots) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots.map((root) => ({ uri: pathToFileURL(root).href })) }))
  const args = [inject('program'), 'mcp', ...allow.flatMap((place) => ['--allow', place])]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder, stderr: 'inherit' }))
  return client
}

const call = async (name: string, args: Record<string, unknown>, options = {}) =>
  (await client.callTool({ name, arguments: args }, undefined, options)) as CallToolResult

/** The folder where a bake keeps what is not finished, once there is one. */
async function stagingOf(output: string): Promise<string> {
  for (;;) {
    const staging = existsSync(output) && remains(output).find((name) => name.includes('.vat-staging-'))
    if (staging) return staging
    await wait(5)
  }
}

const textOf = ({ content }: CallToolResult) => (content[0] as { text: string }).text

describe('tools', () => {
  test('are four, and every flag of the command line is an argument', async () => {
    const { tools } = await (await connect()).listTools()
    expect(tools.map(({ name }) => name)).toEqual(['bake_vat', 'inspect_model', 'verify_vat', 'list_targets'])
    const { properties, additionalProperties } = tools[0].inputSchema
    for (const key of Object.keys(bakeOptions.shape)) expect(properties).toHaveProperty(key)
    expect(additionalProperties).toBe(false)
    // A flag of the command line would mislead here.
    for (const tool of tools) expect(JSON.stringify(tool.inputSchema)).not.toMatch(/"[^"]*--[a-z]/)
  })

  test('bake, and tell how far they are', async () => {
    await connect()
    const progress: Progress[] = []
    const baked = await call(
      'bake_vat',
      { model: 'Fox.glb', anim: ['Run'], frames: 4, encoding: 'rgba16', normals: 'xyz', output: 'out' },
      { onprogress: (step: Progress) => progress.push(step) },
    )
    expect(textOf(baked)).toMatch(/^Baked Run from Fox\.glb into .*Run\.json: 1728 vertices in 4 frames\. The worst vertex is .* mm off/)
    const { sidecarFile, sidecar } = bakeResult.parse(baked.structuredContent)
    expect(sidecarFile).toBe(join(inside, 'out/Run.json'))
    expect(sidecar).toMatchObject({ encoding: 'rgba16', frameCount: 4 })
    expect(progress.length).toBeGreaterThanOrEqual(5)
    for (let i = 1; i < progress.length; i++) expect(progress[i].progress).toBeGreaterThan(progress[i - 1].progress)
    expect(new Set(progress.map(({ message }) => message))).toContain('verifying')

    // The same bytes as the command line writes.
    const single = join(folder, 'single')
    await bake(single, ['--encoding', 'rgba16', '--normals', 'xyz'])
    expect(contents(join(inside, 'out'))).toEqual(contents(single))

    const verified = await call('verify_vat', { sidecar: 'out/Run.json', model: 'Fox.glb' })
    expect(verifyResult.parse(verified.structuredContent)).toMatchObject({ damaged: [], asReported: true })
    writeFileSync(join(inside, 'out/Run_pos.png'), 'damaged')
    expect(await call('verify_vat', { sidecar: 'out/Run.json' })).toMatchObject({ isError: true })
  })

  test('plan, inspect and list without writing anything', async () => {
    await connect()
    const before = readdirSync(inside)
    const planned = await call('bake_vat', { model: 'Fox.glb', anim: ['Run'], output: 'planned', dryRun: true })
    expect(planResult.parse(planned.structuredContent)).toMatchObject({ name: 'Run', folder: join(inside, 'planned') })
    const inspected = await call('inspect_model', { model: 'Fox.glb' })
    expect(inspectResult.parse(inspected.structuredContent).clips.map(({ name }) => name)).toEqual(['Survey', 'Walk', 'Run'])
    const { targets } = (await call('list_targets', {})).structuredContent as { targets: { name: string }[] }
    expect(targets.map(({ name }) => name)).toEqual(TARGETS)
    expect(readdirSync(inside)).toEqual(before)
  })

  test('bake a project', async () => {
    await connect()
    process.env.VAT_STUDIO_USER_DATA = join(folder, 'user data')
    await run(['init', join(inside, 'small.gltf'), '--encoding', 'exr', '-o', join(inside, 'of project')])
    const baked = await call('bake_vat', { project: 'small.vat.json', normals: 'xyz' })
    const { sidecarFile, sidecar } = bakeResult.parse(baked.structuredContent)
    expect(sidecarFile).toBe(join(inside, 'of project/small.json'))
    expect(sidecar.textures.map(({ role, type }) => [role, type])).toEqual([['position', 'float32'], ['normal', 'float32']])
  })
})

describe('what is wrong is a result with one sentence', () => {
  test.each([
    [{}, 'Give either model or project: a project names its model itself.'],
    [{ model: 'none.glb' }, /^none\.glb does not exist\. Check the path: .*none\.glb\.$/],
    [{ model: 'Fox.glb', anim: ['Fly'] }, 'Fox.glb has no clip "Fly". It has "Survey", "Walk" and "Run".'],
    [{ model: 'Fox.glb', anmi: ['Run'] }, /^bake_vat has no argument anmi\. It has model, project, anim, /],
    [{ model: 'Fox.glb', fps: -1 }, /^The argument fps of bake_vat must be a number above 0 and at most \d+, or auto\.$/],
    [{ model: 'Fox.glb', anim: ['Run'], maxError: '0.001mm', encoding: 'rgba8', output: 'limit' }, /above the limit of 0\.001mm/],
  ])('%o', async (args, sentence) => {
    await connect()
    const result = await call('bake_vat', args)
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(sentence)
    expect(textOf(result)).not.toMatch(/--[a-z]/)
  })
})

describe('folders', () => {
  const refusal = /is outside of the folders that this server may use/

  test.each([
    ['an absolute path', { model: join(outside, 'Fox.glb'), anim: ['Run'] }],
    ['..', { model: '../outside/Fox.glb', anim: ['Run'] }],
    ['a link', { model: 'link/Fox.glb', anim: ['Run'] }],
    ['an output folder', { model: 'Fox.glb', anim: ['Run'], output: '../outside/out' }],
    ['an output folder behind a link', { model: 'Fox.glb', anim: ['Run'], output: 'link/out' }],
    ['a folder behind a link that does not exist yet', { model: 'Fox.glb', anim: ['Run'], output: 'link/a/b' }],
  ])('refuses to leave them by %s', async (_, args) => {
    await connect()
    const result = await call('bake_vat', args)
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(refusal)
    expect(readdirSync(outside)).toEqual(['Fox.glb'])
  })

  test('does not read a texture that is a link out of them, nor a set that is', async () => {
    await connect()
    const model = writeModel(join(inside, 'linked/model.gltf'))
    const json = JSON.parse(readFileSync(model, 'utf8')) as { images: { uri: string }[] }
    writeFileSync(join(outside, 'secret.png'), 'secret')
    symlinkSync(outside, join(inside, 'linked/textures'), 'junction')
    json.images[0].uri = 'textures/secret.png'
    writeFileSync(model, JSON.stringify(json))
    expect(textOf(await call('bake_vat', { model, output: 'of linked' }))).toMatch(/Left out 1 image/)
    expect(readFileSync(join(inside, 'of linked/model_mesh.glb'), 'latin1')).not.toContain('secret')

    await bake(join(outside, 'set'), [])
    expect(textOf(await call('verify_vat', { sidecar: 'link/set/Run.json' }))).toMatch(refusal)
    const uri = `vat-studio://preview/position?sidecar=${encodeURIComponent('link/set/Run.json')}`
    await expect(client.readResource({ uri })).rejects.toThrow(refusal)
  })

  test('are those of the client, too, and it may change its mind', async () => {
    const roots = [inside]
    await connect({ allow: [], roots })
    expect(await call('inspect_model', { model: 'small.gltf' })).toMatchObject({ isError: false })
    expect(textOf(await call('inspect_model', { model: join(outside, 'Fox.glb') }))).toMatch(refusal)
    roots.push(outside)
    await client.sendRootsListChanged()
    expect(await call('inspect_model', { model: join(outside, 'Fox.glb') })).toMatchObject({ isError: false })
  })

  test('are none where nobody gives any', async () => {
    await connect({ allow: [] })
    expect(textOf(await call('inspect_model', { model: join(inside, 'small.gltf') }))).toMatch(/^No folder is open to this server/)
  })
})

test('a bake that is cancelled leaves nothing on the disk, and its worker is gone', async () => {
  await connect()
  const output = join(inside, 'cancelled')
  const controller = new AbortController()
  let worker = 0
  const baking = call('bake_vat', { model: 'Fox.glb', anim: ['Run'], frames: 3000, encoding: 'exr', output }, { signal: controller.signal })
  const stopping = stagingOf(output).then((staging) => {
    worker = Number(/staging-(\d+)-/.exec(staging)![1])
    controller.abort()
  })
  await expect(baking).rejects.toThrow()
  await stopping
  const isGone = () => {
    try {
      return !process.kill(worker, 0)
    } catch {
      return true
    }
  }
  const deadline = Date.now() + 5000
  while (!isGone() && Date.now() < deadline) await wait(10)
  expect(isGone()).toBe(true)
  expect(existsSync(output)).toBe(false)
  // The server goes on.
  expect(await call('list_targets', {})).toMatchObject({ isError: false })
})

describe('resources', () => {
  test('are the documents of the format', async () => {
    await connect()
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toContain('vat-studio://docs/vat-format.md')
    const { contents } = await client.readResource({ uri: 'vat-studio://docs/vat-format.md' })
    expect((contents[0] as { text: string }).text).toBe(readFileSync(join(import.meta.dirname, '../../resources/docs/vat-format.md'), 'utf8'))
  })

  test('are pictures of the textures, to which a bake links', async () => {
    await connect()
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['vat-studio://preview/{role}{?sidecar}'])
    const { content } = await call('bake_vat', { model: 'Fox.glb', anim: ['Run'], normals: 'xyz', output: 'pictures' })
    const links = content.filter(({ type }) => type === 'resource_link') as { uri: string }[]
    expect(links).toHaveLength(2)
    for (const { uri } of links) {
      const [picture] = (await client.readResource({ uri })).contents as { mimeType: string; blob: string }[]
      expect(picture.mimeType).toBe('image/png')
      const png = Buffer.from(picture.blob, 'base64')
      expect(png.subarray(1, 4).toString()).toBe('PNG')
      // 1728 columns are drawn as 512, 35 frames as 35.
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([512, 35])
    }
  })
})

test('a client without the SDK can speak to it, and nothing but the protocol is on standard output', async () => {
  const server = spawn(process.execPath, [inject('program'), 'mcp', '--allow', inside], { stdio: ['pipe', 'pipe', 'pipe'] })
  let text = ''
  server.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  const ended = new Promise<number | null>((resolve) => server.on('close', resolve))
  const say = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const answer = async (id: number) => {
    for (;;) {
      const found = text.split('\n').find((line) => line.includes(`"id":${id}`))
      if (found) return JSON.parse(found) as { result: Record<string, unknown> }
      await wait(10)
    }
  }
  say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'hand', version: '0' } } })
  expect((await answer(1)).result).toMatchObject({ serverInfo: { name: 'vat-studio' }, capabilities: { tools: {}, resources: {} } })
  say({ method: 'notifications/initialized' })
  server.stdin.write('this is no JSON\n')
  const args = { model: 'Fox.glb', anim: ['Run'], frames: 3, encoding: 'rgba8', output: 'by hand' }
  say({ id: 2, method: 'tools/call', params: { name: 'bake_vat', arguments: args, _meta: { progressToken: 'p' } } })
  expect((await answer(2)).result).toMatchObject({ isError: false, structuredContent: { sidecar: { frameCount: 3 } } })
  server.stdin.end()
  expect(await ended).toBe(0)

  const lines = text.trimEnd().split('\n').map((line) => JSON.parse(line) as { jsonrpc: string; method?: string })
  for (const line of lines) expect(line.jsonrpc).toBe('2.0')
  expect(lines.filter(({ method }) => method === 'notifications/progress').length).toBeGreaterThanOrEqual(5)
  expect(tornFiles(join(inside, 'by hand'), 'Run')).toEqual([])
})

test('when its client is gone, what runs is called off and the server ends', async () => {
  const output = join(inside, 'left alone')
  const server = spawn(process.execPath, [inject('program'), 'mcp', '--allow', inside], { stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = new Promise<number | null>((resolve) => server.on('close', resolve))
  const say = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'hand', version: '0' } } })
  say({ method: 'notifications/initialized' })
  say({ id: 2, method: 'tools/call', params: { name: 'bake_vat', arguments: { model: 'Fox.glb', anim: ['Run'], frames: 3000, encoding: 'exr', output } } })
  await stagingOf(output)
  server.stdin.end()
  expect(await ended).toBe(0)
  expect(existsSync(output)).toBe(false)
})
