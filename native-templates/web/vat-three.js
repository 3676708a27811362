// Plays "{{name}}", baked by VAT Studio, in three.js (WebGL 2). Depends on nothing: three is handed in.
//
//   import * as THREE from 'three'
//   import { loadVat } from './{{file}}'
//   const fox = await loadVat(THREE, new URL('./{{sidecar}}', import.meta.url))
//   scene.add(fox.object)
//   fox.play('Run', 0.3)             // fades to it within 0.3 seconds
//   fox.update(secondsSinceLastFrame)
//
// Many at once: fox.crowd([{ clip: 'Run', phase: 0.4, speed: 1, matrix: new THREE.Matrix4() }, …]) is another object.

/** @returns what plays the bake: `object`, `play`, `show`, `update`, `crowd`, `clips` */
export async function loadVat(THREE, url) {
  const bake = await readVat(url)
  const { sidecar, layers, submeshes, textures } = bake
  const shader = decodingShader(bake)
  const uniforms = {
    vatRows: { value: new THREE.Vector3() },
    vatNext: { value: new THREE.Vector3() },
    vatFade: { value: 0 },
    vatSeconds: { value: 0 },
  }
  const maps = new Map()
  for (const { role, pixels } of Object.values(layers)) {
    if (!maps.has(pixels)) maps.set(pixels, dataTexture(THREE, pixels))
    uniforms[`vat_${role}_map`] = { value: maps.get(pixels) }
  }
  const isOffset = layers.position.content === 'offset'
  const animate = (material, isCrowd) => {
    material.onBeforeCompile = (compiled) => {
      Object.assign(compiled.uniforms, uniforms)
      compiled.vertexShader = compiled.vertexShader
        .replace('#include <common>', `#include <common>\n${declarations(shader, isCrowd)}`)
        .replace('void main() {', `void main() {\n${isCrowd ? CROWD_ROWS : 'vec3 vatRowsNow = vatRows;'}\nvec2 vatAddress = vat_address(indexUV, VAT_LAYOUT);`)
        .replace('#include <beginnormal_vertex>', normalChunk(layers))
        .replace('#include <begin_vertex>', `vec3 transformed = ${blended('position')}${isOffset ? ' + position' : ''};`)
    }
    material.customProgramCacheKey = () => `vat ${isCrowd} ${shader}`
    return material
  }
  const { min, max } = sidecar.bounds
  const box = new THREE.Box3(new THREE.Vector3(...min), new THREE.Vector3(...max))
  const pieces = submeshes.map((submesh) => ({
    geometry: createGeometry(THREE, submesh, box),
    look: createMaterial(THREE, submesh, textures),
  }))
  const build = (isCrowd, makeMesh) => {
    const group = new THREE.Group()
    for (const { geometry, look } of pieces) {
      const mesh = makeMesh(geometry, animate(look.clone(), isCrowd))
      mesh.customDepthMaterial = animate(new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking }), isCrowd)
      mesh.customDistanceMaterial = animate(new THREE.MeshDistanceMaterial(), isCrowd)
      mesh.castShadow = mesh.receiveShadow = true
      group.add(mesh)
    }
    return group
  }
  const playback = createPlayback(sidecar, {
    rows: (rows) => uniforms.vatRows.value.fromArray(rows),
    next: (rows, fade) => {
      uniforms.vatNext.value.fromArray(rows)
      uniforms.vatFade.value = fade
    },
    seconds: (seconds) => (uniforms.vatSeconds.value = seconds),
  })
  return {
    ...playback,
    sidecar,
    object: build(false, (geometry, material) => new THREE.Mesh(geometry, material)),
    /** @param instances [{ clip, phase, speed, matrix }] */
    crowd(instances) {
      return build(true, (geometry, material) => {
        const own = geometry.clone()
        own.setAttribute('vatInstance', new THREE.InstancedBufferAttribute(crowdData(sidecar, playback.find, instances), 4))
        own.setAttribute('vatSpeed', new THREE.InstancedBufferAttribute(Float32Array.from(instances, ({ speed = 1 }) => speed), 1))
        const mesh = new THREE.InstancedMesh(own, material, instances.length)
        instances.forEach(({ matrix }, index) => mesh.setMatrixAt(index, matrix))
        mesh.computeBoundingSphere()
        return mesh
      })
    },
  }
}

function dataTexture(THREE, { width, height, kind, data }) {
  const type = { byte: THREE.UnsignedByteType, half: THREE.HalfFloatType, float: THREE.FloatType }[kind]
  const texture = new THREE.DataTexture(data, width, height, THREE.RGBAFormat, type)
  texture.needsUpdate = true
  return texture
}

function createGeometry(THREE, { attributes, indices }, box) {
  const geometry = new THREE.BufferGeometry()
  const uvs = { TEXCOORD_0: 'uv', TEXCOORD_1: 'uv1', TEXCOORD_2: 'uv2', TEXCOORD_3: 'uv3', indexUV: 'indexUV' }
  const names = { POSITION: 'position', NORMAL: 'normal', TANGENT: 'tangent', COLOR_0: 'color', ...uvs }
  for (const [name, { array, size }] of Object.entries(attributes)) {
    if (names[name]) geometry.setAttribute(names[name], new THREE.BufferAttribute(array, size))
  }
  geometry.setIndex(new THREE.BufferAttribute(indices, 1))
  geometry.boundingBox = box.clone()
  geometry.boundingSphere = box.getBoundingSphere(new THREE.Sphere())
  return geometry
}

function createMaterial(THREE, { material, attributes }, textures) {
  const { pbrMetallicRoughness: pbr, extensions = {}, alphaMode = 'OPAQUE' } = material
  const map = (info, colorSpace = THREE.NoColorSpace) => {
    if (!info) return null
    const { image, wrapS = 10497, wrapT = 10497, magFilter, minFilter } = textures[info.index]
    const texture = new THREE.Texture(image)
    const wraps = { 10497: THREE.RepeatWrapping, 33071: THREE.ClampToEdgeWrapping, 33648: THREE.MirroredRepeatWrapping }
    Object.assign(texture, { flipY: false, colorSpace, channel: info.texCoord ?? 0, needsUpdate: true })
    Object.assign(texture, { wrapS: wraps[wrapS], wrapT: wraps[wrapT] })
    if (magFilter === 9728) texture.magFilter = THREE.NearestFilter
    if (minFilter === 9728 || minFilter === 9729) texture.minFilter = texture.magFilter
    const transform = info.extensions?.KHR_texture_transform
    if (transform?.scale) texture.repeat.fromArray(transform.scale)
    if (transform?.offset) texture.offset.fromArray(transform.offset)
    return texture
  }
  const [red, green, blue, alpha] = pbr.baseColorFactor ?? [1, 1, 1, 1]
  const shared = {
    color: new THREE.Color(red, green, blue),
    opacity: alpha,
    map: map(pbr.baseColorTexture, THREE.SRGBColorSpace),
    vertexColors: 'COLOR_0' in attributes,
    side: material.doubleSided ? THREE.DoubleSide : THREE.FrontSide,
    transparent: alphaMode === 'BLEND',
    alphaTest: alphaMode === 'MASK' ? (material.alphaCutoff ?? 0.5) : 0,
  }
  if (extensions.KHR_materials_unlit) return new THREE.MeshBasicMaterial(shared)
  const orm = map(pbr.metallicRoughnessTexture)
  const strength = extensions.KHR_materials_emissive_strength?.emissiveStrength ?? 1
  return new THREE.MeshStandardMaterial({
    ...shared,
    metalness: pbr.metallicFactor ?? 1,
    roughness: pbr.roughnessFactor ?? 1,
    metalnessMap: orm,
    roughnessMap: orm,
    normalMap: map(material.normalTexture),
    normalScale: new THREE.Vector2(1, 1).multiplyScalar(material.normalTexture?.scale ?? 1),
    aoMap: map(material.occlusionTexture),
    aoMapIntensity: material.occlusionTexture?.strength ?? 1,
    emissive: new THREE.Color(...(material.emissiveFactor ?? [0, 0, 0])),
    emissiveIntensity: strength,
    emissiveMap: map(material.emissiveTexture, THREE.SRGBColorSpace),
  })
}

function declarations(shader, isCrowd) {
  return `
    attribute vec2 indexUV;
    uniform vec3 vatRows;
    uniform vec3 vatNext;
    uniform float vatFade;
    uniform float vatSeconds;
    ${isCrowd ? 'attribute vec4 vatInstance;\nattribute float vatSpeed;' : ''}
    ${shader}`
}

function normalChunk({ normal, tangent }) {
  return `
    vec3 objectNormal = ${normal ? `normalize(${blended('normal')})` : 'normal'};
    #ifdef USE_TANGENT
      vec3 objectTangent = ${tangent ? `normalize((${blended('tangent')}).xyz)` : 'tangent.xyz'};
    #endif`
}
