import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { Problem } from '../../main/model/problem.ts'
import type { Works } from '../../main/worker/works.ts'
import { results } from '../jobs/samples.ts'
import { run } from './fake-shell.ts'

/* eslint-disable require-yield */
const works: Works = {
  async *bake() {
    return results.bake
  },
  async *plan() {
    return results.plan
  },
  async *verify() {
    return results.verify
  },
  async *inspect() {
    return results.inspect
  },
  async *picture() {
    return results.picture
  },
}

const failing = (error: unknown): Partial<Works> => ({
  async *inspect() {
    throw error
  },
})

describe('help', () => {
  test('of the program lists its commands and is no failure', async () => {
    const { status, stdout, stderr } = await run('--help')
    expect(status).toBe(0)
    for (const word of ['bake', 'inspect', 'verify', '--version', '--debug', 'Examples:']) expect(stdout).toContain(word)
    expect(stderr).toBe('')
  })

  test('of a command explains every flag, and ends with two examples', async () => {
    const { status, stdout } = await run('bake --help')
    expect(status).toBe(0)
    for (const flag of ['--anim', '--fps', '--normals [kind]', '-o, --output', '--dry-run', '--json', '--quiet', '--debug']) expect(stdout).toContain(flag)
    expect(stdout).toMatch(/Examples:\n {2}vat-studio bake .*\n {2}vat-studio bake .*\n$/)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  test('answers a call without a command, which is wrong usage', async () => {
    const { status, stdout, stderr } = await run('')
    expect(status).toBe(2)
    expect(stderr).toContain('Usage: vat-studio')
    expect(stdout).toBe('')
  })

  test('is not needed for the version', async () => {
    expect(await run('--version')).toMatchObject({ status: 0, stdout: `${packageJson.version}\n` })
  })
})

describe('wrong usage ends with status 2 and a sentence', () => {
  test.each([
    ['bake Fox.glb --anmi Run', "error: Unknown option '--anmi'. Did you mean --anim?\n"],
    ['bake Fox.glb --frobnicate', "error: Unknown option '--frobnicate'. Add --help to see what there is.\n"],
    ['bkae Fox.glb', "error: Unknown command 'bkae'. Did you mean bake?\n"],
    ['bake', "error: Missing required argument 'model'. Name a model, or a project with --project.\n"],
    ['bake Fox.glb Wolf.glb', "error: Too many arguments for 'bake'. Expected 1 argument but got 2. Add --help to see what there is.\n"],
    ['bake Fox.glb --fps', "error: Option '--fps <rate>' argument missing. Add --help to see what there is.\n"],
    ['bake Fox.glb --fps abc', "error: --fps must be a number above 0 and at most 10000, or auto, got 'abc'.\n"],
    ['verify Run.json --max-error 5', "error: --max-error must be a length or a share such as 0.5mm or 0.1%, got '5'.\n"],
    ['inspect Fox.glb --fps 30', "error: Unknown option '--fps'. Add --help to see what there is.\n"],
  ])('%s', async (line, sentence) => {
    const { status, stdout, stderr, told } = await run(line)
    expect(stderr).toBe(sentence)
    expect(stdout).toBe('')
    expect(status).toBe(2)
    expect(told).toEqual([])
  })

  test('and is JSON where JSON was asked for', async () => {
    const { status, stdout } = await run('bake Fox.glb --json --anmi Run')
    expect(status).toBe(2)
    expect(JSON.parse(stdout)).toEqual({ error: { kind: 'usage', message: "Unknown option '--anmi'. Did you mean --anim?" } })
  })
})

describe('failures', () => {
  test.each([
    ['usage', 2],
    ['input', 1],
    ['limit', 1],
    ['output', 1],
    ['verify', 1],
    ['cancelled', 130],
  ] as const)('of kind %s end with status %d', async (kind, expected) => {
    const { status, stdout, stderr } = await run('inspect Fox.glb', failing(new Problem(kind, 'It is so. Do this.')))
    expect(stderr).toBe('error: It is so. Do this.\n')
    expect(stdout).toBe('')
    expect(status).toBe(expected)
  })

  test('of ours say so, and show where with --debug', async () => {
    const error = new TypeError('x is undefined')
    const { status, stderr } = await run('inspect Fox.glb', failing(error))
    expect(status).toBe(1)
    expect(stderr).toBe('error: VAT Studio failed: x is undefined. Run it again with --debug to see where.\n')
    const debugged = await run('inspect Fox.glb --debug', failing(error))
    expect(debugged.stderr).toMatch(/^error: VAT Studio failed: x is undefined\.\n\s+at .*program\.test\.ts/)
  })

  test('are JSON where JSON was asked for', async () => {
    const { status, stdout, stderr } = await run('inspect Fox.glb --json', failing(new Problem('input', 'It is so.')))
    expect(JSON.parse(stdout)).toEqual({ error: { kind: 'input', message: 'It is so.' } })
    expect(stderr).toBe('error: It is so.\n')
    expect(status).toBe(1)
  })

  test('are told in spite of --quiet', async () => {
    const { stderr } = await run('inspect Fox.glb --quiet', failing(new Problem('input', 'It is so.')))
    expect(stderr).toBe('error: It is so.\n')
  })

  test('cannot steer the terminal through names in the model', async () => {
    const { stderr } = await run('inspect Fox.glb', failing(new Problem('input', 'No clip "\u001b[31mRun\n".')))
    expect(stderr).toBe('error: No clip "\ufffd[31mRun\ufffd".\n')
  })
})

describe('--json', () => {
  test.each([
    ['bake Fox.glb', results.bake],
    ['bake Fox.glb --dry-run', results.plan],
    ['verify out/Run.json', results.verify],
    ['inspect Fox.glb', results.inspect],
  ])('%s prints its result as one document and nothing else', async (line, result) => {
    const { status, stdout } = await run(`${line} --json`, works)
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(result)))
    expect(status).toBe(0)
  })

  test('leaves warnings to standard error, unless it is quiet', async () => {
    expect((await run('bake Fox.glb --json', works)).stderr).toBe('2 primitives of points or lines were left out.\n')
    expect((await run('bake Fox.glb --json --quiet', works)).stderr).toBe('')
  })
})

describe('--quiet', () => {
  test.each(['bake Fox.glb', 'bake Fox.glb --dry-run', 'verify out/Run.json', 'inspect Fox.glb'])('%s prints nothing', async (line) => {
    expect(await run(`${line} --quiet`, works)).toMatchObject({ status: 0, stdout: '', stderr: '' })
  })
})

describe('what is asked of the worker', () => {
  test('paths are made absolute, defaults filled in', async () => {
    const asked: unknown[] = []
    await run('bake models/Fox.glb --fps 24 -o vat', {
      async *bake(model, options) {
        asked.push(model, options)
        return results.bake
      },
    })
    expect(asked).toEqual(['/project/models/Fox.glb', expect.objectContaining({ fps: 24, output: '/project/vat', encoding: 'exr16', loop: 'auto' })])
  })

  test('verify passes on its model and limit', async () => {
    const asked: unknown[] = []
    await run('verify out/Run.json --model ../Fox.glb --max-error 0.5mm', {
      async *verify(sidecar, options) {
        asked.push(sidecar, options)
        return results.verify
      },
    })
    expect(asked).toEqual(['/project/out/Run.json', { model: '/Fox.glb', maxError: '0.5mm' }])
  })
})

describe('a limit that is exceeded', () => {
  const exceeding: Partial<Works> = {
    async *bake() {
      return { ...results.bake, withinLimit: false }
    },
    async *verify() {
      return { ...results.verify, withinLimit: false }
    },
  }
  const sentence =
    'error: The largest error at the samples is 1.47 mm (0.00085 % of the size), above the limit of 1mm. ' +
    'Use a more exact --encoding or allow more with --max-error.\n'

  test.each(['bake Fox.glb --max-error 1mm', 'verify out/Run.json --max-error 1mm'])('%s reports, and fails', async (line) => {
    const { status, stdout, stderr } = await run(line, exceeding)
    expect(stdout).toContain('at samples')
    expect(stderr).toBe(sentence)
    expect(status).toBe(1)
  })

  test('is still one JSON document: the result', async () => {
    const { status, stdout, stderr } = await run('verify out/Run.json --max-error 1mm --json', exceeding)
    expect(JSON.parse(stdout)).toMatchObject({ withinLimit: false, sidecarFile: '/project/out/Run.json' })
    expect(stderr).toBe(sentence)
    expect(status).toBe(1)
  })
})

test('a damaged bake fails its verification, file by file', async () => {
  const { status, stdout, stderr } = await run('verify out/Run.json', {
    async *verify() {
      const damaged = [
        { file: 'Run_pos.png', problem: 'is missing' },
        { file: 'Run_mesh.glb', problem: 'cannot be read' },
      ]
      return { ...results.verify, damaged, model: null, report: null, withinLimit: false }
    },
  })
  expect(stdout).toContain('2 of 3 files are damaged')
  expect(stderr).toBe('error: The bake out/Run.json is damaged: Run_pos.png is missing; Run_mesh.glb cannot be read. Bake again.\n')
  expect(status).toBe(1)
})

describe('an interruption', () => {
  /** Works until it is cancelled. */
  const endless = (begun: () => void, cleaned: () => void): Partial<Works> => ({
    async *bake(_model, _options, { staged }) {
      staged!('/project/out/.staging')
      try {
        for (let done = 0; ; done++) {
          begun()
          yield { stage: 'encoding', done, total: 1e6 }
        }
      } finally {
        cleaned()
      }
    },
  })

  test('cancels the job, waits until it has cleaned up, and ends with status 130', async () => {
    const interrupt = new AbortController()
    let cleaned = false
    const { status, stdout, stderr, told } = await run(
      'bake Fox.glb',
      endless(
        () => interrupt.abort(),
        () => (cleaned = true),
      ),
      { interrupt },
    )
    expect(cleaned).toBe(true)
    expect(told).toEqual(['start 1', 'cancel 1'])
    expect(stdout).toBe('')
    expect(stderr).toBe('error: The bake of Fox.glb was cancelled.\n')
    expect(status).toBe(130)
  })

  test('that came before the job started lets it never start', async () => {
    const interrupt = new AbortController()
    interrupt.abort()
    const { status, told } = await run('bake Fox.glb', works, { interrupt })
    expect(status).toBe(130)
    expect(told).toEqual([])
  })

  test('of a worker that does not hear kills it and clears up after it', async () => {
    const interrupt = new AbortController()
    const recovered: string[] = []
    const { status } = await run(
      'bake Fox.glb',
      ({ type, job }, post) => {
        if (type !== 'start') return
        post({ type: 'staged', job, folder: '/project/out/.staging' })
        setTimeout(() => interrupt.abort(), 10)
      },
      { interrupt, recovered, patience: 20 },
    )
    expect(recovered).toEqual(['/project/out/.staging'])
    expect(status).toBe(130)
  })
})
