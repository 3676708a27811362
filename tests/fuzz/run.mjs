// `npm run fuzz -- --seconds 3600 --seed 7`: breaks small models at random and bakes them. See fuzz.ts.
import { fileURLToPath } from 'node:url'
import { root, withCompiled } from '../compiled.mjs'

await withCompiled({ fuzz: 'tests/fuzz/fuzz.ts', runner: 'tests/fuzz/runner.ts' }, async (url) => {
  const { fuzz } = await import(url('fuzz'))
  await fuzz(process.argv.slice(2), root, fileURLToPath(url('runner')))
})
