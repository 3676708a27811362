import { resolve } from 'node:path'
import { _electron } from 'playwright-core'
import type { Browser, Size } from '../../viewport/serve.ts'
import { electronProgram } from '../electron-program.ts'

/** WebGPU on the processor, where there is no graphics card. */
const WEBGPU = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--use-vulkan=swiftshader', '--enable-features=Vulkan']

/** An empty page of the Chromium inside Electron, which is there wherever the editor is tested. */
export async function openChromium({ width, height }: Size): Promise<Browser> {
  const app = await _electron.launch({
    executablePath: electronProgram()!,
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--enable-unsafe-swiftshader',
      ...(process.platform === 'linux' ? WEBGPU : []),
      `--page=${width}x${height}`,
      resolve(import.meta.dirname, 'main.cjs'),
    ],
  })
  return { page: await app.firstWindow(), close: () => app.close() }
}
