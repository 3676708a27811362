import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { cruise } from 'dependency-cruiser'
import type { ICruiseResult } from 'dependency-cruiser'
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** Files of a house that breaks every rule: `[file, what it imports, name of the rule that says no]`. */
const FORBIDDEN: [file: string, imported: string, rule: string][] = [
  ['main/jobs/first.ts', './second.ts', 'no-cycles'],
  ['main/jobs/second.ts', './first.ts', 'no-cycles'],
  ['main/cli/lost.ts', './not-there.ts', 'no-unresolvable'],
  ['main/cli/unknown.ts', 'not-installed', 'no-unresolvable'],
  ['main/readers/undeclared.ts', 'undeclared', 'no-undeclared-packages'],
  ['main/bake/tested.ts', '../../tests/fixture.ts', 'product-imports-no-tests'],
  ['main/bake/built.ts', '../../build/script.ts', 'product-imports-no-tests'],
  ['main/attic/thing.ts', '../model/plain.ts', 'no-room-without-a-rule'],

  ['main/model/reads.ts', '../readers/plain.ts', 'model-imports-only-what-is-below'],
  ['main/codecs/bakes.ts', '../bake/plan.ts', 'codecs-imports-only-what-is-below'],
  ['main/targets/reads.ts', '../readers/plain.ts', 'targets-imports-only-what-is-below'],
  ['main/readers/gltf/bakes.ts', '../../bake/plan.ts', 'readers-imports-only-what-is-below'],
  ['main/meshes/bakes.ts', '../bake/plan.ts', 'meshes-imports-only-what-is-below'],
  ['main/bake/works.ts', '../worker/plain.ts', 'bake-imports-only-what-is-below'],
  ['main/project/bakes.ts', '../bake/bake.ts', 'project-imports-only-what-is-below'],
  ['main/worker/talks.ts', '../jobs/plain.ts', 'worker-imports-only-what-is-below'],
  ['main/jobs/prints.ts', '../cli/plain.ts', 'jobs-imports-only-what-is-below'],
  ['main/mcp/bakes.ts', '../bake/bake.ts', 'mcp-imports-only-what-is-below'],
  ['main/cli/bakes.ts', '../bake/bake.ts', 'cli-imports-only-what-is-below'],
  ['main/cli/reads.ts', '../readers/plain.ts', 'cli-imports-only-what-is-below'],
  ['main/app/bakes.ts', '../bake/bake.ts', 'app-imports-only-what-is-below'],
  ['main/app/preloads.ts', '../../preload/index.ts', 'app-imports-only-what-is-below'],

  ['main/model/validates.ts', 'zod', 'model-imports-nothing'],
  ['main/model/hashes.ts', 'node:crypto', 'model-imports-nothing'],

  ['main/model/opens.ts', 'node:fs', 'pure-files-know-no-node'],
  ['main/codecs/opens.ts', 'fs', 'pure-files-know-no-node'],
  ['main/targets/opens.ts', 'node:fs/promises', 'pure-files-know-no-node'],
  ['main/bake/options.ts', 'node:path', 'pure-files-know-no-node'],
  ['main/bake/plan.ts', 'node:path', 'pure-files-know-no-node'],
  ['main/bake/sidecar.ts', 'node:crypto', 'pure-files-know-no-node'],
  ['main/bake/contract.ts', 'node:path', 'pure-files-know-no-node'],
  ['main/worker/preview-contract.ts', 'node:path', 'pure-files-know-no-node'],
  ['main/codecs/encodes.ts', 'sharp', 'pure-files-know-no-platform'],
  ['main/codecs/draws.ts', 'babylonjs', 'pure-files-know-no-platform'],
  ['main/targets/draws.ts', '@babylonjs/core', 'pure-files-know-no-platform'],
  ['main/targets/reads-gltf.ts', '@gltf-transform/core', 'pure-files-know-no-platform'],
  ['main/targets/shows.ts', 'electron', 'pure-files-know-no-platform'],
  ['main/bake/sidecar.ts', './bake.ts', 'pure-files-import-pure-files'],
  ['main/codecs/png.ts', './png-sharp.ts', 'pure-files-import-no-platform-file'],
  ['main/codecs/exr.ts', './exr-node.ts', 'pure-files-import-no-platform-file'],

  ['main/cli/shows.ts', 'electron', 'only-app-imports-electron'],
  ['main/jobs/shows.ts', 'electron', 'only-app-imports-electron'],
  ['renderer/shows.ts', 'electron', 'only-app-imports-electron'],
  ['main/bake/encodes.ts', 'sharp', 'only-png-sharp-imports-sharp'],
  ['main/codecs/other-sharp.ts', 'sharp', 'only-png-sharp-imports-sharp'],
  ['main/cli/opens-window.ts', '../app/plain.ts', 'nobody-imports-the-entry'],
  ['main/cli/starts.ts', '../index.ts', 'nobody-imports-the-entry'],

  ['preload/index.ts', '../main/bake/bake.ts', 'preload-imports-contracts-only'],
  ['preload/index.ts', 'node:fs', 'window-side-knows-no-node'],
  ['renderer/bakes.ts', '../main/bake/bake.ts', 'renderer-imports-pure-files-only'],
  ['renderer/reads.ts', '../main/readers/plain.ts', 'renderer-imports-pure-files-only'],
  ['renderer/preloads.ts', '../preload/index.ts', 'renderer-imports-pure-files-only'],
  ['renderer/encodes.ts', '../main/codecs/png-sharp.ts', 'pure-files-import-no-platform-file'],
  ['renderer/opens.ts', 'node:fs', 'window-side-knows-no-node'],
]

/** Imports that the picture of the house draws, and that no rule may stop. */
const ALLOWED: [file: string, imported: string][] = [
  ['main/index.ts', 'electron'],
  ['main/index.ts', './app/window.ts'],
  ['main/index.ts', './cli/plain.ts'],
  ['main/app/window.ts', 'electron'],
  ['main/app/window.ts', 'node:path'],
  ['main/app/jobs.ts', '../jobs/plain.ts'],
  ['main/app/jobs.ts', '../../preload/api.ts'],
  ['main/app/menu.ts', '../../preload/commands.ts'],
  ['main/cli/mcp.ts', '../mcp/plain.ts'],
  ['main/cli/bake.ts', '../jobs/plain.ts'],
  ['main/cli/bake.ts', '../bake/contract.ts'],
  ['main/mcp/tool.ts', '../jobs/plain.ts'],
  ['main/jobs/queue.ts', '../worker/plain.ts'],
  ['main/worker/serve.ts', '../bake/bake.ts'],
  ['main/worker/serve.ts', '../jobs/contract.ts'],
  ['main/worker/preview-contract.ts', '../codecs/plain.ts'],
  ['main/project/save.ts', '../bake/options.ts'],
  ['main/project/batch.ts', '../jobs/plain.ts'],
  ['main/bake/sample.ts', '../readers/plain.ts'],
  ['main/bake/sample.ts', '../meshes/plain.ts'],
  ['main/bake/sample.ts', '../targets/plain.ts'],
  ['main/bake/sample.ts', '../codecs/png-sharp.ts'],
  ['main/readers/gltf/read.ts', '@gltf-transform/core'],
  ['main/readers/gltf/read.ts', '../../model/plain.ts'],
  ['main/codecs/png-sharp.ts', 'sharp'],
  ['main/codecs/exr-node.ts', 'node:zlib'],
  ['main/jobs/contract.ts', 'zod'],
  ['preload/api.ts', '../main/jobs/contract.ts'],
  ['renderer/player.ts', '../main/codecs/plain.ts'],
  ['renderer/player.ts', '../main/model/plain.ts'],
  ['renderer/player.ts', '../main/targets/plain.ts'],
  ['renderer/player.ts', '../main/worker/preview-contract.ts'],
  ['renderer/player.ts', '../preload/api.ts'],
  ['renderer/palette.ts', '../preload/commands.ts'],
  ['renderer/player.ts', '@babylonjs/core'],
]

const PACKAGES = ['zod', 'sharp', 'babylonjs', '@babylonjs/core', '@gltf-transform/core', 'electron']

/** Writes both houses as one tree of one-line files; what is imported and not written otherwise becomes an empty module. */
function writeHouse(folder: string): void {
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  for (const name of [...PACKAGES, 'undeclared']) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }))
    write(`node_modules/${name}/index.js`, 'module.exports = {}')
  }
  write('package.json', JSON.stringify({ name: 'house', dependencies: Object.fromEntries(PACKAGES.map((name) => [name, '1.0.0'])) }))

  const files = new Map<string, string[]>()
  for (const [file, imported] of [...FORBIDDEN, ...ALLOWED]) {
    files.set(file, [...(files.get(file) ?? []), imported])
    if (imported.startsWith('.') && !imported.includes('not-there')) {
      const target = join(dirname(file), imported).replaceAll('\\', '/')
      if (!files.has(target)) files.set(target, [])
    }
  }
  for (const [file, imports] of files) {
    write(file, imports.map((imported) => `import type {} from '${imported}'\n`).join('') + 'export {}\n')
  }
}

describe('the import rule', () => {
  let folder: string
  let rules: string[]
  /** Names of the rules that an import breaks. */
  let broken: (file: string, imported: string) => string[]

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rooms-'))
    writeHouse(folder)
    const options = await extractDepcruiseOptions(resolve('.dependency-cruiser.cjs'))
    rules = options.ruleSet!.forbidden!.map((rule) => rule.name!)
    const { modules } = (await cruise(['main', 'preload', 'renderer'], { ...options, baseDir: folder })).output as ICruiseResult
    broken = (file, imported) => {
      const dependency = modules.find((module) => module.source === file)?.dependencies.find((each) => `${each.protocol ?? ''}${each.module}` === imported)
      if (!dependency) throw new Error(`${file} -> ${imported} was not seen`)
      return (dependency.rules ?? []).map((rule) => rule.name)
    }
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each(FORBIDDEN)('%s may not import %s: %s', (file, imported, rule) => {
    expect(broken(file, imported)).toContain(rule)
  })

  it.each(ALLOWED)('%s may import %s', (file, imported) => {
    expect(broken(file, imported)).toEqual([])
  })

  it('has no part that this test does not try', () => {
    expect(rules.toSorted()).toEqual([...new Set(FORBIDDEN.map(([, , rule]) => rule))].toSorted())
  })
})
