import { app, type BrowserWindow, dialog } from 'electron'
import { MODEL_EXTENSIONS } from './model-files.ts'

// Tests replace the functions of `dialog`, so each is looked up when it is called.

/** Asks for a model. Null where nothing was chosen. */
export async function chooseModel(window: BrowserWindow): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title: 'Open a Model',
    properties: ['openFile'],
    filters: [
      { name: 'Models', extensions: MODEL_EXTENSIONS },
      { name: 'All Files', extensions: ['*'] },
    ],
  })
  return canceled ? null : (filePaths[0] ?? null)
}

/** Asks for an output folder. Null where nothing was chosen. */
export async function chooseFolder(window: BrowserWindow): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title: 'Choose the Output Folder',
    properties: ['openDirectory', 'createDirectory', 'promptToCreate'],
  })
  return canceled ? null : (filePaths[0] ?? null)
}

/** Asks whether to close the window although work would be lost. */
export async function mayLoseWork(window: BrowserWindow, work: { bakes: number; unsaved: string | null }): Promise<boolean> {
  const questions: { message: string; detail: string; buttons: [lose: string, keep: string] }[] = []
  if (work.bakes > 0) {
    questions.push({
      message: work.bakes === 1 ? 'A bake is still running.' : `${work.bakes} bakes are still running or waiting.`,
      detail: `Quitting now cancels ${work.bakes === 1 ? 'it' : 'them'}. Nothing of an unfinished bake is left in its folder.`,
      buttons: ['Cancel and Quit', 'Keep Baking'],
    })
  }
  if (work.unsaved !== null) {
    questions.push({
      message: `The changes to ${work.unsaved} are not saved.`,
      detail: 'Closing now loses them.',
      buttons: ['Don’t Save', 'Keep Editing'],
    })
  }
  for (const question of questions) {
    const { response } = await dialog.showMessageBox(window, { type: 'question', noLink: true, defaultId: 1, cancelId: 1, ...question })
    if (response !== 0) return false
  }
  return true
}

export async function showAbout(window: BrowserWindow): Promise<void> {
  await dialog.showMessageBox(window, {
    type: 'info',
    title: 'About VAT Studio',
    message: `VAT Studio ${app.getVersion()}`,
    detail: [
      'Turns animated models into verified Vertex Animation Textures.',
      '',
      `Electron ${process.versions.electron}, Chromium ${process.versions.chrome}, Node ${process.versions.node}`,
      'MIT licence',
    ].join('\n'),
    buttons: ['Close'],
    noLink: true,
  })
}
