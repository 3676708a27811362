import { join } from 'node:path'
import { app, clipboard } from 'electron'
import { appInfo } from './app/about.ts'
import { showAbout } from './app/dialogs.ts'
import { showDocumentation } from './app/documentation-window.ts'
import { folderHandlers } from './app/folders.ts'
import { createGrants } from './app/grants.ts'
import { type Handlers, setupIpc, type Tell } from './app/ipc.ts'
import { createAppJobs } from './app/jobs.ts'
import { setupLockdown } from './app/lockdown.ts'
import { setupMenu } from './app/menu.ts'
import { modelOfCommandLine } from './app/model-files.ts'
import { createModels } from './app/models.ts'
import { createPreview } from './app/preview.ts'
import { declareProtocol, setupProtocol } from './app/protocol.ts'
import { createRecents, recentHandlers } from './app/recents.ts'
import { createSettings, settingsHandlers } from './app/settings.ts'
import { setupTheme } from './app/theme.ts'
import { createPlaceKeeper } from './app/window-place.ts'
import { createMainWindow } from './app/window.ts'
import { applicationData, recentsFile } from './project/recents.ts'

/** What follows the program on its command line: without a package of its own, the first word is the folder it runs from. */
const words = (line: string[]) => line.slice(1).filter((word) => word !== app.getAppPath())

// The command line keeps its things in the same place.
app.setPath('userData', applicationData())
app.setName('VAT Studio')
declareProtocol()
// Together with --no-sandbox (the only way for root) it would keep every child process from starting.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()

/** macOS hands files over by an event instead of on the command line, and may do so before the program is ready. */
let handedOver: string | null = null
app.on('open-file', (event, path) => {
  event.preventDefault()
  handedOver = path
})

if (!app.requestSingleInstanceLock()) app.quit()
else void app.whenReady().then(start)

function start(): void {
  const kept = (name: string) => join(app.getPath('userData'), name)
  const tell: Tell = (name, ...payload) => window.find()?.webContents.send(name, ...payload)

  const grants = createGrants()
  const settings = createSettings(kept('settings.json'))
  const recents = createRecents(recentsFile(), grants)
  const jobs = createAppJobs(grants, tell)
  const window = createMainWindow(createPlaceKeeper(kept('window.json')), jobs)
  const preview = createPreview(window.get, grants, tell)
  const models = createModels({
    window: window.get,
    grants,
    recents,
    settings,
    tell,
    startedWith: handedOver ?? modelOfCommandLine(words(process.argv), process.cwd()),
  })

  setupLockdown()
  setupProtocol()
  setupTheme(settings, tell)
  const about = () => showAbout(window.get())
  const menuHandlers = setupMenu({
    tell,
    recents,
    models,
    settings,
    served: { 'help.format': showDocumentation, 'help.about': () => void about() },
  })
  const handlers: Handlers = {
    'app.info': appInfo,
    'app.showAbout': about,
    'app.showDocumentation': showDocumentation,
    'clipboard.writeText': (text) => clipboard.writeText(text),
    ...models.handlers,
    ...recentHandlers(recents, grants, tell),
    ...jobs.handlers,
    ...folderHandlers(window.get, grants),
    ...settingsHandlers(settings, tell),
    ...menuHandlers,
    ...window.handlers,
    ...preview.handlers,
  }
  setupIpc(handlers, () => window.find()?.webContents)

  app.on('second-instance', (_, line, folder) => {
    const model = modelOfCommandLine(words(line), folder)
    if (model !== null) models.open(model)
    window.show()
  })
  app.on('open-file', (_, path) => models.open(path))
  app.on('window-all-closed', () => app.quit())
  app.on('will-quit', () => preview.close())
  window.open()
}
