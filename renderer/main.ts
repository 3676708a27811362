import './styles/tokens.css'
import './styles/window.css'
import { startWindow } from './start.ts'

await startWindow(document.querySelector('#app')!)
