import { cpSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect } from 'vitest'
import type { CommandId } from '../../preload/commands.ts'
import type { Program } from './launch.ts'

/*
 * What a person does in the editor, and what they see there.
 */

/** The line at the bottom of the window. */
export const statusText = ({ page }: Program) => page.locator('footer').innerText({ timeout: 1000 })

/** Whether an entry of the menu bar can be chosen. */
export const isEnabled = ({ app }: Program, id: CommandId) =>
  app.evaluate(({ Menu }, id) => Menu.getApplicationMenu()!.getMenuItemById(id)!.enabled, id)

/** Opens a file through the menu, and waits until it is shown. */
export async function openModel(program: Program, file: string, name: string): Promise<void> {
  await program.answerOpenDialog(file)
  await program.choose('file.open')
  await expect.poll(() => statusText(program), { timeout: 30_000 }).toContain(`${name} opened in`)
}

/** Opens a copy of a sample that lies in a folder of its own, and answers with that folder. Bakes of it go to `vat` beside it. */
export async function openSample(program: Program, name: string): Promise<string> {
  const folder = join(program.folder, name.replace(/\..*/, ''))
  mkdirSync(folder, { recursive: true })
  const file = join(folder, name)
  cpSync(resolve('resources/samples', name), file)
  await openModel(program, file, name)
  return folder
}

/** Chooses a clip in the list: it plays, and is the one that is baked. */
export async function chooseClip({ page }: Program, clip: string): Promise<void> {
  await page.locator(`.clips .name:has-text("${clip}")`).click()
}

/** Chooses one of a list of the bake panel. */
export async function chooseOption({ page }: Program, field: string, choice: string): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).click()
  await page.getByRole('option', { name: choice }).click()
}

/** Writes a number into a field of the bake panel. */
export async function setNumber({ page }: Program, field: string, value: number): Promise<void> {
  const input = page.getByRole('textbox', { name: new RegExp(`^${field}`) })
  await input.fill(String(value))
  await input.press('Enter')
}

/** Presses the button that bakes. */
export async function pressBake(program: Program): Promise<void> {
  await expect.poll(() => isEnabled(program, 'bake.start'), { timeout: 20_000 }).toBe(true)
  await program.page.locator('.pinned .act').getByRole('button', { name: /^Bake/ }).click()
}

/** Presses Bake, and waits until the bake is verified. */
export async function bake(program: Program, what: string, timeout = 60_000): Promise<void> {
  await pressBake(program)
  // An earlier bake may have said the same.
  await expect.poll(() => program.page.locator('.topbar .bakes').count(), { timeout }).toBe(0)
  await expect.poll(() => statusText(program)).toContain(`${what} baked and verified`)
}
