// Runs before `npm start` and `npm run dev`: sees to it that there is an Electron to start, or says in a sentence why not.
const { spawnSync } = require('node:child_process')
const { existsSync } = require('node:fs')

const WAYS_OUT = 'set ELECTRON_EXEC_PATH to the path of an Electron program, or use the command line (npx vat-studio), which needs none.'

const chosen = process.env.ELECTRON_EXEC_PATH
if (chosen) {
  if (!existsSync(chosen)) fail(`ELECTRON_EXEC_PATH names ${chosen}, which does not exist`)
} else {
  // Electron's own script: does nothing where the program is there, and fetches it otherwise.
  const fetched = spawnSync(process.execPath, [require.resolve('electron/install.js')], { stdio: ['ignore', 'inherit', 'pipe'] })
  if (fetched.status !== 0) {
    const reason = /^.*Error: (.*)$/m.exec(String(fetched.stderr))?.[1] ?? 'the download failed'
    fail(`Electron is not installed and could not be fetched (${reason})`)
  }
}

function fail(fault) {
  console.error(`${fault}: ${WAYS_OUT}`)
  process.exit(1)
}
