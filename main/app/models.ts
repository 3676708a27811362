import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { app, type BrowserWindow } from 'electron'
import type { Grant } from '../../preload/api.ts'
import { chooseModel } from './dialogs.ts'
import type { Grants } from './grants.ts'
import type { Handlers, Tell } from './ipc.ts'
import { checkModelFile } from './model-files.ts'
import type { Recents } from './recents.ts'
import type { SettingsKeeper } from './settings.ts'

/** The first one is what a new window shows. */
const SAMPLES = ['Fox.glb', 'RobotExpressive.glb', 'AnimatedMorphCube.glb', 'SimpleSkin.gltf']

const samplePaths = () => SAMPLES.map((name) => join(app.getAppPath(), 'resources/samples', name)).filter((path) => existsSync(path))

export const isSample = (path: string) => samplePaths().includes(path)

type ModelCalls = 'models.choose' | 'models.drop' | 'models.samples' | 'models.first' | 'models.opened'

export interface Models {
  handlers: Pick<Handlers, ModelCalls>
  /** Has the window show a file that did not come from it: from the system or another start of the program. */
  open(path: string): void
}

interface ModelsOptions {
  window(): BrowserWindow
  grants: Grants
  recents: Recents
  settings: SettingsKeeper
  tell: Tell
  /** The file that the program was started with. */
  startedWith: string | null
}

/** Where models come from. */
export function createModels({ window, grants, recents, settings, tell, startedWith }: ModelsOptions): Models {
  let first = startedWith
  /** Until the window has asked for its first model, a file that comes is that one. */
  let asked = false

  function firstModel(): Grant | null {
    asked = true
    if (first !== null) return grants.give('model', first)
    const [sample] = settings.get().opensWith === 'sample' ? samplePaths() : []
    return sample === undefined ? null : grants.give('model', sample)
  }

  return {
    open(path) {
      if (!asked) first = path
      else tell('models.onOpen', grants.give('model', path))
    },
    handlers: {
      'models.choose': async () => {
        const path = await chooseModel(window())
        return path === null ? null : grants.give('model', path)
      },
      'models.drop': (path) => {
        checkModelFile(path)
        return grants.give('model', path)
      },
      'models.samples': () => samplePaths().map((path) => grants.give('model', path)),
      'models.first': firstModel,
      'models.opened': (token) => {
        const { path } = grants.take(token, 'model')
        if (!isSample(path)) recents.add(path)
      },
    },
  }
}
