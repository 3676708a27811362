const formats: [ending: string, name: string][] = [
  ['.glb', 'glTF 2.0 binary'],
  ['.gltf', 'glTF 2.0'],
  ['.fbx', 'FBX'],
  ['.babylon', 'Babylon'],
  ['.obj', 'OBJ sequence'],
]

/** What kind of file a name promises: `glTF 2.0 binary`. */
export function formatName(file: string): string {
  const lower = file.toLowerCase()
  return formats.find(([ending]) => lower.endsWith(ending))?.[1] ?? 'model'
}
