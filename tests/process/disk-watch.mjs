/*
 * Loaded into the program before its own code (`node --import`). Sees every change that the program makes to the disk through
 * node:fs/promises in its worker, and can interfere; n counts from 1:
 *   DISK_LOG=file  writes the changes down, one a line
 *   DISK_KILL=n    kills the process after the nth change, as SIGKILL does
 *   DISK_FULL=n    lets nothing be made from the nth change on, as a full disk does
 *   DISK_HOLD=n    waits after the nth change as long as the file DISK_HOLD_FILE exists, which it makes
 */
import fs from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'

const { DISK_LOG, DISK_KILL, DISK_FULL, DISK_HOLD, DISK_HOLD_FILE } = process.env
let count = 0

const isRead = (name, flags) => name === 'open' && (flags === undefined || flags === 'r')

function refuse(name) {
  if (DISK_FULL && count + 1 >= Number(DISK_FULL) && ['mkdir', 'mkdtemp', 'open', 'writeFile'].includes(name)) {
    throw Object.assign(new Error(`ENOSPC: no space left on device, ${name}`), { code: 'ENOSPC', errno: -28 })
  }
}

async function changed(name, path) {
  count++
  if (DISK_LOG) fs.appendFileSync(DISK_LOG, `${name} ${basename(path)}\n`)
  if (count === Number(DISK_KILL)) process.kill(process.pid, 'SIGKILL')
  if (count === Number(DISK_HOLD)) {
    fs.writeFileSync(DISK_HOLD_FILE, '')
    while (fs.existsSync(DISK_HOLD_FILE)) await setTimeout(5)
  }
}

if (!isMainThread) {
  for (const name of ['mkdir', 'mkdtemp', 'open', 'rename', 'rm', 'rmdir', 'writeFile']) {
    const original = promises[name]
    promises[name] = async (...args) => {
      if (isRead(name, args[1])) return original(...args)
      refuse(name)
      const result = await original(...args)
      await changed(name, String(name === 'rename' ? args[1] : args[0]))
      return result
    }
  }
  syncBuiltinESMExports()
}
