import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { glbOf, type Json } from '../readers/build-gltf.ts'
import { hugePng } from './huge-png.ts'

/*
 * Bakes that lie, each a true one with one thing wrong: what `verify` is given may come from anywhere.
 */

export interface BrokenBake {
  what: string
  /** Spoils the bake in that folder, named Turn, with its PNG and GLB; answers what is to be verified where that is another file. */
  spoil(folder: string): string | void
  refused: RegExp
  notOn?: NodeJS.Platform
}

const SIDECAR = 'Turn.json'
const MESH = 'Turn_mesh.glb'
const TEXTURE = 'Turn_pos.png'

function withSidecar(change: (sidecar: Json) => void): (folder: string) => void {
  return (folder) => {
    const sidecar: Json = JSON.parse(readFileSync(join(folder, SIDECAR), 'utf8'))
    change(sidecar)
    writeFileSync(join(folder, SIDECAR), JSON.stringify(sidecar))
  }
}

/** Puts other bytes in the place of a file, and their hash into the sidecar, so that nothing seems to have changed. */
function replace(folder: string, file: string, bytes: Uint8Array): void {
  writeFileSync(join(folder, file), bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  withSidecar((sidecar) => {
    for (const entry of [...sidecar.textures, ...sidecar.meshes]) if (entry.file === file) entry.sha256 = sha256
  })(folder)
}

function withMesh(change: (json: Json) => void): (folder: string) => void {
  return (folder) => {
    const bytes = readFileSync(join(folder, MESH))
    const end = 20 + bytes.readUInt32LE(12)
    const json: Json = JSON.parse(bytes.toString('utf8', 20, end))
    change(json)
    replace(folder, MESH, glbOf(JSON.stringify(json), bytes.subarray(end + 8)))
  }
}

const positions = (json: Json): Json => json.accessors[json.meshes[0].primitives[0].attributes.POSITION]

function putPipe(folder: string, file: string): void {
  rmSync(join(folder, file), { force: true })
  execFileSync('mkfifo', [join(folder, file)])
}

export const brokenBakes: BrokenBake[] = [
  {
    what: 'a texture of 24,000 × 24,000 pixels',
    spoil: (folder) => {
      replace(folder, TEXTURE, hugePng(24_000))
      withSidecar((sidecar) => Object.assign(sidecar.textures[0], { width: 24_000, height: 24_000 }))(folder)
    },
    refused: /Turn_pos\.png has 24000 × 24000 pixels, and its frames take 9 of them/,
  },
  {
    what: 'a texture of 24,000 × 24,000 pixels that it needs',
    spoil: (folder) => {
      replace(folder, TEXTURE, hugePng(24_000))
      withSidecar((sidecar) => {
        Object.assign(sidecar.textures[0], { width: 24_000, height: 24_000 })
        sidecar.layout.columnsPerRow = 12_000
        sidecar.clips[0].firstRow = 20_000
      })(folder)
    },
    refused: /Turn\.json has 576,000,000 texels in its textures, and at most 268,435,456 are allowed/,
  },
  {
    what: 'a PNG that is larger than its sidecar says',
    spoil: (folder) => replace(folder, TEXTURE, hugePng(24_000)),
    refused: /Turn_pos\.png is 24000 × 24000 pixels/,
  },
  {
    what: 'a texture outside of its folder',
    spoil: withSidecar((sidecar) => (sidecar.textures[0].file = '../secret.png')),
    refused: /\.\.\/secret\.png is not a name in the folder of the sidecar/,
  },
  {
    what: 'a texture at an absolute path',
    spoil: withSidecar((sidecar) => (sidecar.textures[0].file = '/etc/passwd')),
    refused: /\/etc\/passwd is not a name in the folder of the sidecar/,
  },
  { what: 'a texture that is a pipe', spoil: (folder) => putPipe(folder, TEXTURE), refused: /Turn_pos\.png cannot be read/, notOn: 'win32' },
  {
    what: 'a texture that is a link to a device',
    spoil: (folder) => {
      rmSync(join(folder, TEXTURE))
      symlinkSync('/dev/zero', join(folder, TEXTURE))
    },
    refused: /Turn_pos\.png cannot be read/,
    notOn: 'win32',
  },
  {
    what: 'a sidecar that is a pipe',
    spoil: (folder) => {
      putPipe(folder, 'Pipe.json')
      return join(folder, 'Pipe.json')
    },
    refused: /Pipe\.json cannot be read/,
    notOn: 'win32',
  },
  {
    what: 'a sidecar of 300 MB',
    spoil: (folder) => writeFileSync(join(folder, SIDECAR), Buffer.alloc(300e6, ' ')),
    refused: /Turn\.json has 300000000 bytes, and no sidecar has more than 16000000/,
  },
  {
    what: 'a sidecar that is nested a million deep',
    spoil: (folder) => writeFileSync(join(folder, SIDECAR), `{"format":"vat-studio","version":1,"clips":${'['.repeat(1e6)}${']'.repeat(1e6)}}`),
    refused: /Turn\.json is damaged/,
  },
  {
    what: 'a thousand million frames',
    spoil: withSidecar((sidecar) => {
      sidecar.frameCount = sidecar.clips[0].frameCount = 1e9
      sidecar.clips[0].fps = (1e9 - 1) / sidecar.clips[0].duration
    }),
    refused: /Turn\.json contradicts itself/,
  },
  {
    what: 'a thousand million vertices',
    spoil: withSidecar((sidecar) => {
      sidecar.vertexCount = sidecar.columnCount = sidecar.meshes[0].submeshes[0].vertexCount = 1e9
    }),
    refused: /Turn\.json contradicts itself/,
  },
  {
    what: 'a first row far outside of its texture',
    spoil: withSidecar((sidecar) => (sidecar.clips[0].firstRow = Number.MAX_SAFE_INTEGER)),
    refused: /Turn\.json contradicts itself/,
  },
  {
    what: '40 million vertices out of nothing in its mesh',
    spoil: withMesh((json) => {
      const accessor = positions(json)
      delete accessor.bufferView
      accessor.count = 40e6
    }),
    refused: /"Turn_mesh\.glb" cannot be read as a rest mesh \(it counts more vertices than it has bytes\)/,
  },
  {
    what: 'a thousand accessors out of nothing in its mesh',
    spoil: withMesh((json) => {
      for (let i = 0; i < 100_000; i++) json.accessors.push({ componentType: 5126, type: 'MAT4', count: 700 })
    }),
    refused: /Turn_mesh\.glb/,
  },
  {
    what: 'a mesh that refers to a file out of its folder',
    spoil: withMesh((json) => (json.buffers.push({ uri: '../../../../etc/passwd', byteLength: 1 }))),
    refused: /Turn_mesh\.glb/,
  },
  {
    what: 'a mesh that refers to a pipe',
    spoil: (folder) => {
      putPipe(folder, 'pipe.bin')
      withMesh((json) => (json.buffers.push({ uri: 'pipe.bin', byteLength: 1 })))(folder)
    },
    refused: /Turn_mesh\.glb/,
    notOn: 'win32',
  },
]
