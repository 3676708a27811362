import { OPENABLE_EXTENSIONS } from '../../main/model/model-extensions.ts'

const NAMES: Record<string, string | undefined> = {
  glb: 'glTF 2.0 binary',
  gltf: 'glTF 2.0',
  fbx: 'FBX',
  babylon: 'Babylon',
  obj: 'OBJ sequence',
}

/** What kind of file a name promises: `glTF 2.0 binary`. */
export function formatName(file: string): string {
  const ending = file.toLowerCase().split('.').at(-1)!
  return OPENABLE_EXTENSIONS.includes(ending) ? (NAMES[ending] ?? ending.toUpperCase()) : 'model'
}

/** Everything that can be opened: `.glb, .gltf, .fbx, .babylon or .obj`. */
export function openableEndings(): string {
  // Without a comma before the last one, as everywhere in the window.
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(OPENABLE_EXTENSIONS.map((ending) => `.${ending}`))
}
