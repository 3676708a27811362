import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bake } from '../../main/bake/bake.ts'
import { bakeOptions } from '../../main/bake/options.ts'
import { batchReport, type BatchReport } from '../../main/project/batch-contract.ts'
import { writeProject } from '../../main/project/project-file.ts'
import { finish } from './bake-corpus.ts'
import { bakeableModels } from './corpus.ts'
import { describeWithEngines } from './engine.ts'

const COUNT = 40

/** What each is baked with: quick, and something of everything. */
const options = bakeOptions.parse({ anim: ['#0'], frames: 6, normals: 'xyz', encoding: 'rgba16' })

interface Project {
  name: string
  file: string
  model: string
  output: string
}

describeWithEngines(`a batch of ${COUNT} models`, () => {
  let folder: string
  let program: string
  let projects: Project[]

  beforeAll(async () => {
    const cache = resolve('node_modules/.cache')
    mkdirSync(cache, { recursive: true })
    program = join(mkdtempSync(join(cache, 'corpus-batch-')), 'index.js')
    await build({ configFile: resolve('build/vite.cli.config.ts'), logLevel: 'error', build: { outDir: dirname(program) } })
    folder = mkdtempSync(join(tmpdir(), 'corpus-batch-'))
    // By name, with those in a folder of their own first: they have textures beside them.
    const models = bakeableModels().sort((a, b) => b.name.split('/').length - a.name.split('/').length)
    projects = models.slice(0, COUNT).map(({ file }, i) => {
      const name = `${String(i).padStart(2, '0')} ${basename(file)}`
      cpSync(dirname(file), join(folder, name), { recursive: true, filter: (path) => statSync(path).isFile() || path === dirname(file) })
      return { name, file: join(folder, name, 'it.vat.json'), model: join(folder, name, basename(file)), output: join(folder, name, 'out') }
    })
    for (const { file, model, output } of projects) await writeProject({ file, model, options: { ...options, output } }, false)
  })
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
    rmSync(dirname(program), { recursive: true, force: true })
  })

  async function batch(...args: string[]): Promise<BatchReport> {
    const child = spawn(process.execPath, [program, 'batch', join(folder, '*', 'it.vat.json'), '--keep-going', '--json', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    const status = await new Promise((resolve) => child.on('close', resolve))
    const report = batchReport.parse(JSON.parse(text))
    expect(report.rows.map(({ error }) => error).filter(Boolean)).toEqual([])
    expect(status).toBe(0)
    return report
  }

  const baked = ({ rows }: BatchReport) => rows.filter(({ outcome }) => outcome === 'baked').map(({ file, state }) => [basename(dirname(file)), state])

  it('bakes them all, byte for byte as single bakes do', async () => {
    const { totals, seconds } = await batch('--changed')
    expect(totals).toEqual({ baked: COUNT, upToDate: 0, failed: 0, cancelled: 0, leftOut: 0 })
    console.log(`${COUNT} models in ${seconds.toFixed(1)} s.`)
    const single = join(folder, 'single')
    for (const { name, model, output } of projects) {
      await finish(bake(model, { ...options, output: join(single, name) }))
      expect(filesIn(output), name).toEqual(filesIn(join(single, name)))
    }
  })

  it('bakes nothing the second time', async () => {
    const { totals, seconds } = await batch('--changed')
    expect(totals).toEqual({ baked: 0, upToDate: COUNT, failed: 0, cancelled: 0, leftOut: 0 })
    console.log(`Compared in ${seconds.toFixed(1)} s.`)
  })

  it('bakes only the model whose texture was touched', async () => {
    const { name, texture } = projects.flatMap(({ name, model }) => imagesOf(model).map((texture) => ({ name, texture })))[0]
    appendFileSync(texture, 'touched')
    expect(baked(await batch('--changed'))).toEqual([[name, 'model-changed']])
  })

  it('bakes only the project whose option was changed', async () => {
    const { name, file } = projects[17]
    const project = JSON.parse(readFileSync(file, 'utf8')) as { options: object }
    writeFileSync(file, JSON.stringify({ ...project, options: { ...project.options, encoding: 'exr' } }))
    expect(baked(await batch('--changed'))).toEqual([[name, 'settings-changed']])
  })

  it('may run twice at once, and no set is torn', async () => {
    await Promise.all([batch(), batch('--encoding', 'exr')])
    for (const { name, output } of projects) {
      const files = filesIn(output)
      const sidecar = Object.keys(files).find((file) => file.endsWith('.json'))!
      const { textures, meshes } = JSON.parse(readFileSync(join(output, sidecar), 'utf8')) as Record<string, { file: string; sha256: string }[]>
      const named = Object.fromEntries([...textures, ...meshes].map(({ file, sha256 }) => [file, sha256]))
      expect(files, name).toEqual({ ...named, [sidecar]: files[sidecar] })
    }
  })
})

/** SHA-256 of the files of a set by their names. */
function filesIn(output: string): Record<string, string> {
  const names = readdirSync(output).filter((name) => !name.startsWith('.'))
  return Object.fromEntries(names.map((name) => [name, createHash('sha256').update(readFileSync(join(output, name))).digest('hex')]))
}

/** The image files beside a .gltf. */
function imagesOf(model: string): string[] {
  if (!model.endsWith('.gltf')) return []
  const { images = [] } = JSON.parse(readFileSync(model, 'utf8')) as { images?: { uri?: string }[] }
  return images.flatMap(({ uri }) => (uri && !uri.startsWith('data:') ? [join(dirname(model), decodeURIComponent(uri))] : []))
}
