/** Nothing but a window with an empty page: Chromium, as Electron brings it. */
const { app, BrowserWindow } = require('electron')

const [width, height] = app.commandLine.getSwitchValue('page').split('x').map(Number)
void app.whenReady().then(() => new BrowserWindow({ width, height, useContentSize: true }).loadURL('about:blank'))
