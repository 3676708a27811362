/*
 * What can be done in the window, as data: the menu bar (main/app/menu.ts) and the window's own palette and keys come from it.
 * Choosing an entry of the menu sends its id to the window (`commands.onCommand`), unless main serves it itself.
 */

export interface Command {
  /** Sentence case, as the window writes it. The menu bar uses the title case of `menu`. */
  label: string
  menu: string
  /** Key in Electron's spelling; `CmdOrCtrl` is ⌘ on macOS. */
  key?: string
  /**
   * A key without Ctrl, which must not act while a field has the focus. The window listens for it; the menu only shows it.
   */
  bare?: true
  /** It is ticked or one of a group: `radio` commands with the same text before the dot exclude one another. */
  type?: 'checkbox' | 'radio'
  /** Cannot be used until the window says so. */
  disabled?: true
}

export const commands = {
  'file.open': { label: 'Open…', menu: 'Open…', key: 'CmdOrCtrl+O' },
  'file.export': { label: 'Export VAT…', menu: 'Export VAT…', key: 'CmdOrCtrl+E', disabled: true },
  'file.close': { label: 'Close', menu: 'Close', key: 'CmdOrCtrl+W', disabled: true },

  'edit.palette': { label: 'Find a command', menu: 'Find a Command…', key: 'CmdOrCtrl+K' },
  'edit.settings': { label: 'Settings', menu: 'Settings…', key: 'CmdOrCtrl+,' },

  'mode.original': { label: 'Original', menu: 'Original', key: '1', bare: true, type: 'radio' },
  'mode.vat': { label: 'VAT', menu: 'VAT', key: '2', bare: true, type: 'radio' },
  'mode.sideBySide': { label: 'Side by side', menu: 'Side by Side', key: '3', bare: true, type: 'radio' },
  'mode.overlay': { label: 'Overlay', menu: 'Overlay', key: '4', bare: true, type: 'radio' },
  'mode.split': { label: 'Split', menu: 'Split', key: '5', bare: true, type: 'radio' },
  'mode.crowd': { label: 'Crowd', menu: 'Crowd', key: '6', bare: true, type: 'radio' },
  'view.errorMap': { label: 'Error map', menu: 'Error Map', key: 'H', bare: true, type: 'checkbox' },
  'view.shading': { label: 'Next shading', menu: 'Next Shading', key: 'Z', bare: true },
  'view.wireframe': { label: 'Wireframe', menu: 'Wireframe', key: 'W', bare: true, type: 'checkbox' },
  'view.skeleton': { label: 'Skeleton', menu: 'Skeleton', key: 'B', bare: true, type: 'checkbox' },
  'view.bounds': { label: 'Bounds', menu: 'Bounds', key: 'O', bare: true, type: 'checkbox' },
  'view.grid': { label: 'Grid', menu: 'Grid', key: 'G', bare: true, type: 'checkbox' },
  'view.axes': { label: 'Axes', menu: 'Axes', key: 'A', bare: true, type: 'checkbox' },
  'view.frame': { label: 'Frame the model', menu: 'Frame the Model', key: 'F', bare: true },
  'view.frameWorst': { label: 'Frame the worst vertex', menu: 'Frame the Worst Vertex', key: 'Shift+F', bare: true, disabled: true },
  'view.inspector': { label: 'Inspector', menu: 'Inspector', key: 'CmdOrCtrl+I', type: 'checkbox' },
  'theme.system': { label: 'Theme: as the system', menu: 'As the System', type: 'radio' },
  'theme.light': { label: 'Theme: light', menu: 'Light', type: 'radio' },
  'theme.dark': { label: 'Theme: dark', menu: 'Dark', type: 'radio' },

  'play.toggle': { label: 'Play or pause', menu: 'Play or Pause', key: 'Space', bare: true },
  'play.previous': { label: 'Previous sample', menu: 'Previous Sample', key: ',', bare: true },
  'play.next': { label: 'Next sample', menu: 'Next Sample', key: '.', bare: true },
  'play.start': { label: 'Go to start', menu: 'Go to Start', key: 'Home', bare: true },
  'play.end': { label: 'Go to end', menu: 'Go to End', key: 'End', bare: true },
  'play.loop': { label: 'Repeat', menu: 'Repeat', key: 'L', bare: true, type: 'checkbox' },

  'bake.start': { label: 'Bake', menu: 'Bake', key: 'CmdOrCtrl+B', disabled: true },
  'bake.cancel': { label: 'Cancel the running bake', menu: 'Cancel', key: 'CmdOrCtrl+.', disabled: true },
  'bake.reveal': { label: 'Reveal in folder', menu: 'Reveal in Folder', key: 'CmdOrCtrl+Shift+R', disabled: true },
  'bake.copyCommand': { label: 'Copy as CLI command', menu: 'Copy as CLI Command', key: 'CmdOrCtrl+Shift+C', disabled: true },

  'help.format': { label: 'VAT format', menu: 'VAT Format', key: 'F1' },
  'help.keys': { label: 'All keys', menu: 'Keyboard Shortcuts', key: 'CmdOrCtrl+/' },
  'help.about': { label: 'About VAT Studio', menu: 'About VAT Studio' },
} satisfies Record<string, Command>

export type CommandId = keyof typeof commands
