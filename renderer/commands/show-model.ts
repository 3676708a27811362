import type { Grant } from '../../preload/api.ts'
import { useModelStore } from '../stores/model.ts'
import { useViewStore } from '../stores/view.ts'

/** Opens a model where it can be seen, from whatever place of the window. */
export async function showModel(file: Grant): Promise<void> {
  useViewStore().place = 'editor'
  await useModelStore().open(file)
}
