// `npm run kernel`: compiles build/kernel/skin.ts to WebAssembly and writes it into main/model/skin-kernel-code.ts, as text.
// The compiler is fetched for the occasion, since it is as large as all other tools together and the kernel hardly ever changes;
// tests compare every bit of its results with the plain code.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const COMPILER = 'assemblyscript@0.28.20'
const folder = mkdtempSync(join(tmpdir(), 'kernel-'))
try {
  const file = join(folder, 'skin.wasm')
  const flags = ['--runtime', 'stub', '--enable', 'simd', '-O3', '--noAssert', '--importMemory', '--outFile', file]
  execFileSync('npx', ['--yes', '--package', COMPILER, 'asc', 'build/kernel/skin.ts', ...flags], { stdio: 'inherit' })
  const lines = readFileSync(file).toString('base64').match(/.{1,120}/g)
  const text = `// Written by \`npm run kernel\` from build/kernel/skin.ts.\n/** WebAssembly in Base64. */\nexport const SKIN_KERNEL = [\n${lines.map((line) => `  '${line}',\n`).join('')}].join('')\n`
  writeFileSync('main/model/skin-kernel-code.ts', text)
  console.log(`Wrote main/model/skin-kernel-code.ts, ${readFileSync(file).length} bytes of code`)
} finally {
  rmSync(folder, { recursive: true })
}
