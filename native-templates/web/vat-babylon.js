// Plays "{{name}}", baked by VAT Studio, in Babylon.js (WebGL 2). Depends on nothing: Babylon is handed in.
//
//   import * as BABYLON from '@babylonjs/core'
//   import { loadVat } from './{{file}}'
//   const fox = await loadVat(BABYLON, new URL('./{{sidecar}}', import.meta.url), scene)
//   fox.play('Run', 0.3)             // fades to it within 0.3 seconds
//   fox.update(secondsSinceLastFrame)
//
// fox.object is the root of the meshes. fox.crowd([{ clip: 'Run', phase: 0.4, speed: 1, matrix }, …]) makes many at once.

/** @returns what plays the bake: `object`, `play`, `show`, `update`, `crowd`, `clips` */
export async function loadVat(BABYLON, url, scene) {
  const bake = await readVat(url)
  const { sidecar, layers, submeshes, textures } = bake
  const shared = { rows: [0, 0, 0], next: [0, 0, 0], fade: 0, seconds: 0, layers, shader: decodingShader(bake), maps: {} }
  const made = new Map()
  for (const { role, pixels } of Object.values(layers)) {
    if (!made.has(pixels)) made.set(pixels, dataTexture(BABYLON, pixels, scene))
    shared.maps[`vat_${role}_map`] = made.get(pixels)
  }
  const Plugin = createPlugin(BABYLON, shared)
  const { min, max } = sidecar.bounds
  const materialOf = (submesh, isCrowd) => {
    const material = createMaterial(BABYLON, submesh.material, textures, scene)
    new Plugin(material, isCrowd)
    return material
  }
  const build = (isCrowd, finish) => {
    const root = new BABYLON.TransformNode(sidecar.name, scene)
    if (!scene.useRightHandedSystem) {
      // The same turn as that of Babylon's own glTF loader.
      root.rotationQuaternion = new BABYLON.Quaternion(0, 1, 0, 0)
      root.scaling.z = -1
    }
    for (const submesh of submeshes) {
      const mesh = createMesh(BABYLON, submesh, scene)
      mesh.material = materialOf(submesh, isCrowd)
      mesh.parent = root
      finish(mesh)
    }
    return root
  }
  const playback = createPlayback(sidecar, {
    rows: (rows) => (shared.rows = rows),
    next: (rows, fade) => Object.assign(shared, { next: rows, fade }),
    seconds: (seconds) => (shared.seconds = seconds),
  })
  const bound = (mesh) => mesh.setBoundingInfo(new BABYLON.BoundingInfo(new BABYLON.Vector3(...min), new BABYLON.Vector3(...max)))
  return {
    ...playback,
    sidecar,
    object: build(false, bound),
    /** @param instances [{ clip, phase, speed, matrix }] */
    crowd(instances) {
      const data = crowdData(sidecar, playback.find, instances)
      return build(true, (mesh) => {
        const matrices = new Float32Array(instances.length * 16)
        instances.forEach(({ matrix }, index) => matrix.copyToArray(matrices, index * 16))
        mesh.thinInstanceSetBuffer('matrix', matrices, 16)
        mesh.thinInstanceSetBuffer('vatInstance', data, 4)
        mesh.thinInstanceSetBuffer('vatSpeed', Float32Array.from(instances, ({ speed = 1 }) => speed), 1)
        mesh.alwaysSelectAsActiveMesh = true
      })
    },
  }
}

function dataTexture(BABYLON, { width, height, kind, data }, scene) {
  const { TEXTURETYPE_UNSIGNED_BYTE, TEXTURETYPE_HALF_FLOAT, TEXTURETYPE_FLOAT, TEXTUREFORMAT_RGBA } = BABYLON.Constants
  const type = { byte: TEXTURETYPE_UNSIGNED_BYTE, half: TEXTURETYPE_HALF_FLOAT, float: TEXTURETYPE_FLOAT }[kind]
  return new BABYLON.RawTexture(data, width, height, TEXTUREFORMAT_RGBA, scene, false, false, BABYLON.Texture.NEAREST_SAMPLINGMODE, type)
}

function createMesh(BABYLON, { attributes, indices }, scene) {
  const mesh = new BABYLON.Mesh('vat', scene)
  const uvs = { TEXCOORD_0: 'uv', TEXCOORD_1: 'uv2', TEXCOORD_2: 'uv3', TEXCOORD_3: 'uv4', indexUV: 'indexUV' }
  const kinds = { POSITION: 'position', NORMAL: 'normal', TANGENT: 'tangent', COLOR_0: 'color', ...uvs }
  for (const [name, { array, size }] of Object.entries(attributes)) {
    if (kinds[name]) mesh.setVerticesData(kinds[name], array, false, size)
  }
  mesh.setIndices(indices)
  return mesh
}

/** Babylon keeps one image of each name. */
let images = 0

function createMaterial(BABYLON, material, textures, scene) {
  const { pbrMetallicRoughness: pbr, extensions = {}, alphaMode = 'OPAQUE' } = material
  const made = new BABYLON.PBRMaterial(material.name ?? 'vat', scene)
  const map = (info, useSRGBBuffer = false) => {
    if (!info) return null
    const { image, wrapS = 10497, wrapT = 10497, magFilter, minFilter } = textures[info.index]
    const samplingMode = magFilter === 9728 ? BABYLON.Texture.NEAREST_SAMPLINGMODE : BABYLON.Texture.TRILINEAR_SAMPLINGMODE
    const noMipmap = minFilter === 9728 || minFilter === 9729
    const texture = new BABYLON.Texture(`vat image ${++images}`, scene, { buffer: image, noMipmap, invertY: false, samplingMode, useSRGBBuffer })
    const { WRAP_ADDRESSMODE, CLAMP_ADDRESSMODE, MIRROR_ADDRESSMODE } = BABYLON.Texture
    const wraps = { 10497: WRAP_ADDRESSMODE, 33071: CLAMP_ADDRESSMODE, 33648: MIRROR_ADDRESSMODE }
    Object.assign(texture, { wrapU: wraps[wrapS], wrapV: wraps[wrapT], coordinatesIndex: info.texCoord ?? 0 })
    const { scale = [1, 1], offset = [0, 0] } = info.extensions?.KHR_texture_transform ?? {}
    Object.assign(texture, { uScale: scale[0], vScale: scale[1], uOffset: offset[0], vOffset: offset[1] })
    return texture
  }
  const [red, green, blue, alpha] = pbr.baseColorFactor ?? [1, 1, 1, 1]
  made.albedoColor = new BABYLON.Color3(red, green, blue)
  made.alpha = alpha
  made.albedoTexture = map(pbr.baseColorTexture, true)
  made.metallic = pbr.metallicFactor ?? 1
  made.roughness = pbr.roughnessFactor ?? 1
  made.metallicTexture = map(pbr.metallicRoughnessTexture)
  made.useRoughnessFromMetallicTextureGreen = made.useMetallnessFromMetallicTextureBlue = true
  made.useRoughnessFromMetallicTextureAlpha = false
  made.bumpTexture = map(material.normalTexture)
  if (made.bumpTexture) made.bumpTexture.level = material.normalTexture.scale ?? 1
  made.invertNormalMapX = !scene.useRightHandedSystem
  made.invertNormalMapY = scene.useRightHandedSystem
  made.ambientTexture = map(material.occlusionTexture)
  made.useAmbientInGrayScale = true
  made.ambientTextureStrength = material.occlusionTexture?.strength ?? 1
  made.emissiveColor = new BABYLON.Color3(...(material.emissiveFactor ?? [0, 0, 0]))
  made.emissiveIntensity = extensions.KHR_materials_emissive_strength?.emissiveStrength ?? 1
  made.emissiveTexture = map(material.emissiveTexture, true)
  made.unlit = 'KHR_materials_unlit' in extensions
  made.backFaceCulling = !material.doubleSided
  // glTF's triangles are counter-clockwise seen from the front, Babylon's own are not.
  made.sideOrientation = BABYLON.Material[scene.useRightHandedSystem ? 'CounterClockWiseSideOrientation' : 'ClockWiseSideOrientation']
  made.twoSidedLighting = Boolean(material.doubleSided)
  made.transparencyMode = { OPAQUE: 0, MASK: 1, BLEND: 2 }[alphaMode]
  made.useAlphaFromAlbedoTexture = alphaMode !== 'OPAQUE'
  made.alphaCutOff = material.alphaCutoff ?? 0.5
  return made
}

/** A plugin that moves the vertices of a material, in shadow maps and all other passes too. */
function createPlugin(BABYLON, shared) {
  const { position, normal, tangent } = shared.layers
  return class VatPlugin extends BABYLON.MaterialPluginBase {
    constructor(material, isCrowd) {
      super(material, 'BakedVat', 200, { BAKED_VAT: true, BAKED_VAT_CROWD: false })
      this.isCrowd = isCrowd
      this._enable(true)
    }
    getClassName() {
      return 'VatPlugin'
    }
    prepareDefines(defines) {
      defines.BAKED_VAT = true
      defines.BAKED_VAT_CROWD = this.isCrowd
    }
    getAttributes(attributes) {
      attributes.push('indexUV')
      if (this.isCrowd) attributes.push('vatInstance', 'vatSpeed')
    }
    getSamplers(samplers) {
      samplers.push(...Object.keys(shared.maps))
    }
    getUniforms() {
      return { ubo: ['vatRows', 'vatNext', 'vatMore'].map((name) => ({ name, size: 4, type: 'vec4' })) }
    }
    bindForSubMesh(uniforms) {
      uniforms.updateFloat4('vatRows', ...shared.rows, 0)
      uniforms.updateFloat4('vatNext', ...shared.next, 0)
      uniforms.updateFloat4('vatMore', shared.fade, shared.seconds, 0, 0)
      for (const [name, texture] of Object.entries(shared.maps)) uniforms.setTexture(name, texture)
    }
    hasTexture(texture) {
      return Object.values(shared.maps).includes(texture)
    }
    getCustomCode(stage) {
      if (stage !== 'vertex') return null
      return {
        CUSTOM_VERTEX_DEFINITIONS: `
          attribute vec2 indexUV;
          #ifdef BAKED_VAT_CROWD
            attribute vec4 vatInstance;
            attribute float vatSpeed;
          #endif
          ${shared.shader}`,
        CUSTOM_VERTEX_MAIN_BEGIN: `
          float vatFade = vatMore.x;
          float vatSeconds = vatMore.y;
          vec2 vatAddress = vat_address(indexUV, VAT_LAYOUT);
          #ifdef BAKED_VAT_CROWD
            ${CROWD_ROWS}
          #else
            vec3 vatRowsNow = vatRows.xyz;
          #endif`,
        CUSTOM_VERTEX_UPDATE_POSITION: `positionUpdated = ${blended('position')}${position.content === 'offset' ? ' + position' : ''};`,
        CUSTOM_VERTEX_UPDATE_NORMAL: [
          normal ? `#ifdef NORMAL\nnormalUpdated = normalize(${blended('normal')});\n#endif` : '',
          tangent ? `#ifdef TANGENT\ntangentUpdated = vec4(normalize((${blended('tangent')}).xyz), tangentUpdated.w);\n#endif` : '',
        ].join('\n'),
      }
    }
  }
}
