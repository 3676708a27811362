declare module 'draco3dgltf/draco_decoder_gltf_nodejs.js' {
  const create: (options: { wasmBinary: Uint8Array; printErr: () => void }) => Promise<unknown>
  export default create
}

/** A data URI. */
declare module 'draco3dgltf/draco_decoder_gltf.wasm?url&inline' {
  const uri: string
  export default uri
}
