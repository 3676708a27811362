/** Endings of the names of files that are models by themselves, without the dot, in lower case. */
export const MODEL_EXTENSIONS = ['glb', 'gltf', 'fbx', 'babylon']

/** Endings of everything that can be opened: an .obj file stands for all that are numbered like it. */
export const OPENABLE_EXTENSIONS = [...MODEL_EXTENSIONS, 'obj']
