/** What the tests ask of the page: it loads the players as anybody would, as modules beside a bake. */
import * as BABYLON from 'babylonjs'
import * as THREE from 'three'

/**
 * Positions of all vertices at some moments, `[moment][vertex][xyz]`, as an engine's own material computes them: each vertex is drawn
 * as a pixel of floats.
 */
window.readPositions = (engine, url, moments) => ({ three: threePositions, babylon: babylonPositions })[engine](url, moments)

/** Vertex n at the nth pixel of a line, in GLSL. */
const toPixel = (count) => `
  gl_PointSize = 1.0;
  gl_Position = vec4((float(gl_VertexID) + 0.5) / ${count} * 2.0 - 1.0, 0.0, 0.0, 1.0);`

async function threePositions(url, moments) {
  const renderer = new THREE.WebGLRenderer()
  const player = await loadPlayer('three', url, THREE)
  const positions = moments.map(() => [])
  for (const { geometry, material } of player.object.children) {
    const { count } = geometry.attributes.position
    const prepare = material.onBeforeCompile
    material.onBeforeCompile = (compiled) => {
      prepare(compiled)
      const append = (text, declarations, code) => `${declarations}\n${text.slice(0, text.lastIndexOf('}'))}\n${code}\n}`
      compiled.vertexShader = append(compiled.vertexShader, 'varying vec3 place;', `place = transformed; ${toPixel(`${count}.0`)}`)
      compiled.fragmentShader = append(compiled.fragmentShader, 'varying vec3 place;', 'gl_FragColor = vec4(place, 1.0);')
    }
    material.customProgramCacheKey = () => `pixels ${count}`
    material.blending = THREE.NoBlending
    const points = new THREE.Points(geometry.clone().setIndex(null), material)
    points.frustumCulled = false
    const target = new THREE.WebGLRenderTarget(count, 1, { type: THREE.FloatType })
    renderer.setRenderTarget(target)
    const pixels = new Float32Array(count * 4)
    for (const [i, { clip, seconds }] of moments.entries()) {
      player.show(clip, seconds)
      renderer.render(points, new THREE.Camera())
      renderer.readRenderTargetPixels(target, 0, 0, count, 1, pixels)
      positions[i].push(...withoutAlpha(pixels))
    }
  }
  renderer.dispose()
  renderer.forceContextLoss()
  return positions
}

async function babylonPositions(url, moments) {
  const engine = new BABYLON.Engine(document.createElement('canvas'), false)
  const scene = new BABYLON.Scene(engine)
  scene.useRightHandedSystem = true
  new BABYLON.FreeCamera('camera', BABYLON.Vector3.Zero(), scene)
  const player = await loadPlayer('babylon', url, BABYLON, scene)
  const positions = moments.map(() => [])
  for (const mesh of player.object.getChildMeshes()) {
    const count = mesh.getTotalVertices()
    new Pixels(mesh.material, count)
    mesh.material.pointsCloud = true
    mesh.alwaysSelectAsActiveMesh = true
    const target = new BABYLON.RenderTargetTexture('pixels', { width: count, height: 1 }, scene, {
      generateMipMaps: false,
      type: BABYLON.Constants.TEXTURETYPE_FLOAT,
      samplingMode: BABYLON.Texture.NEAREST_SAMPLINGMODE,
    })
    target.renderList = [mesh]
    await scene.whenReadyAsync()
    for (const [i, { clip, seconds }] of moments.entries()) {
      player.show(clip, seconds)
      target.render()
      positions[i].push(...withoutAlpha(await target.readPixels()))
    }
  }
  engine.dispose()
  return positions
}

class Pixels extends BABYLON.MaterialPluginBase {
  constructor(material, count) {
    super(material, 'Pixels', 300, { PIXELS: 0 })
    this.count = count
    this._enable(true)
  }
  getClassName() {
    return 'Pixels'
  }
  prepareDefines(defines) {
    defines.PIXELS = this.count
  }
  getCustomCode(stage) {
    if (stage === 'fragment') return { CUSTOM_FRAGMENT_DEFINITIONS: 'varying vec3 place;', CUSTOM_FRAGMENT_MAIN_END: 'gl_FragColor = vec4(place, 1.0);' }
    return { CUSTOM_VERTEX_DEFINITIONS: 'varying vec3 place;', CUSTOM_VERTEX_MAIN_END: `place = positionUpdated; ${toPixel('float(PIXELS)')}` }
  }
}

function withoutAlpha(pixels) {
  return [...pixels].filter((_, i) => i % 4 < 3)
}

async function loadPlayer(engine, url, ...handedIn) {
  const { loadVat } = await import(/* @vite-ignore */ `${url}/model_${engine}.js`)
  return loadVat(handedIn[0], `${url}/model.json`, ...handedIn.slice(1))
}

/**
 * How a player's picture differs from the editor's of the original, at a time of a clip: seen by the editor's own camera. With
 * three.js, which lights otherwise, both show the colours of the materials without any light.
 *
 * @param way the player's `object`, or a `crowd` of one
 * @returns what `count` does
 */
window.compareWithEditor = async (engine, url, { clip, seconds, time }, way) => {
  const [scene] = BABYLON.EngineStore.Instances[0].scenes
  const capture = () => window.harness.viewport.captureFrame(time, 'original')
  let truth = await capture()
  if (engine === 'three') {
    await setLight(scene, false)
    truth = await capture()
    await setLight(scene, true)
  }
  const draw = { three: drawThree, babylon: drawBabylon }[engine]
  return count(truth.pixels, await draw(scene, truth, url, clip, seconds, way))
}

/** Pixels in all, those where something is, and those of which a channel differs by more than 8 of 255. */
function count(truth, pixels) {
  const counts = { pixels: pixels.length / 4, drawn: 0, beyond: 0 }
  for (let i = 0; i < pixels.length; i += 4) {
    if (truth[i + 3] > 0) counts.drawn++
    if ([0, 1, 2, 3].some((channel) => Math.abs(truth[i + channel] - pixels[i + channel]) > 8)) counts.beyond++
  }
  return counts
}

/** Without it materials show nothing but their colours. Compiled at once, since Babylon draws with the shader of before until then. */
async function setLight(scene, isLit) {
  scene.imageProcessingConfiguration.toneMappingEnabled = isLit
  for (const material of scene.materials) material.unlit = !isLit
  await Promise.all(scene.meshes.filter(({ material }) => material).map((mesh) => mesh.material.forceCompilationAsync(mesh)))
}

/** In the editor's own scene, in the place of everything else. */
async function drawBabylon(scene, { width, height }, url, clip, seconds, way) {
  const engine = scene.getEngine()
  const shown = scene.meshes.filter((mesh) => mesh.isEnabled(false))
  for (const mesh of shown) mesh.setEnabled(false)
  const player = await loadPlayer('babylon', url, BABYLON, scene)
  let { object } = player
  if (way === 'crowd') {
    object.setEnabled(false)
    object = player.crowd([{ clip, phase: seconds, matrix: BABYLON.Matrix.Identity() }])
  } else player.show(clip, seconds)
  await scene.whenReadyAsync()
  engine.beginFrame()
  scene.render()
  engine.endFrame()
  const pixels = new Uint8Array((await engine.readPixels(0, 0, width, height)).buffer)
  object.dispose(false, true)
  player.object.dispose(false, true)
  for (const mesh of shown) mesh.setEnabled(true)
  return upright(pixels, width)
}

async function drawThree(editor, { width, height }, url, clip, seconds, way) {
  const renderer = new THREE.WebGLRenderer({ alpha: true, antialias: true, preserveDrawingBuffer: true })
  renderer.setSize(width, height, false)
  renderer.setClearColor(0, 0)
  const scene = new THREE.Scene()
  const camera = new THREE.PerspectiveCamera()
  camera.matrixAutoUpdate = false
  camera.matrix.fromArray(editor.activeCamera.getViewMatrix().m).invert()
  camera.matrixWorldNeedsUpdate = true
  camera.projectionMatrix.fromArray(editor.activeCamera.getProjectionMatrix().m)
  camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert()
  const player = await loadPlayer('three', url, THREE)
  player.show(clip, seconds)
  scene.add(way === 'crowd' ? player.crowd([{ clip, phase: seconds, matrix: new THREE.Matrix4() }]) : player.object)
  scene.traverse(({ material }) => {
    if (!material) return
    const prepare = material.onBeforeCompile
    material.onBeforeCompile = (compiled) => {
      prepare(compiled)
      compiled.fragmentShader = compiled.fragmentShader.replace('#include <opaque_fragment>', 'outgoingLight = diffuseColor.rgb;\n#include <opaque_fragment>')
    }
    // As Babylon has it.
    if (material.map) material.map.anisotropy = 4
  })
  renderer.render(scene, camera)
  const gl = renderer.getContext()
  const pixels = new Uint8Array(width * height * 4)
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels)
  renderer.dispose()
  renderer.forceContextLoss()
  return upright(pixels, width)
}

/** WebGL has the lowest row first. */
function upright(pixels, width) {
  const rows = pixels.length / (width * 4)
  const turned = new Uint8Array(pixels.length)
  for (let row = 0; row < rows; row++) turned.set(pixels.subarray(row * width * 4, (row + 1) * width * 4), (rows - 1 - row) * width * 4)
  return turned
}


/** How pictures of a bake in a left- and in a right-handed scene of Babylon's differ, as `count` says. */
window.compareHandedness = async (url, { min, max }) => {
  const size = max.map((value, axis) => value - min[axis])
  const draw = async (isRightHanded) => {
    const engine = new BABYLON.Engine(Object.assign(document.createElement('canvas'), { width: 320, height: 320 }), false)
    const scene = new BABYLON.Scene(engine)
    scene.useRightHandedSystem = isRightHanded
    scene.clearColor = new BABYLON.Color4(0, 0, 0, 0)
    // Babylon's loaders turn a model round in a left-handed scene, which mirrors x.
    const place = (x, y, z) => new BABYLON.Vector3(isRightHanded ? x : -x, y, z)
    const target = min.map((value, axis) => value + size[axis] / 2)
    new BABYLON.HemisphericLight('sun', place(1, 2, 1), scene)
    const distance = Math.hypot(...size) * 1.5
    const camera = new BABYLON.TargetCamera('camera', place(target[0] + 0.6 * distance, target[1] + 0.35 * distance, target[2] + 0.72 * distance), scene)
    camera.setTarget(place(...target))
    camera.minZ = distance / 100
    camera.maxZ = distance * 10
    const player = await loadPlayer('babylon', url, BABYLON, scene)
    player.show(0, 0)
    await scene.whenReadyAsync()
    scene.render()
    const pixels = new Uint8Array((await engine.readPixels(0, 0, 320, 320)).buffer)
    engine.dispose()
    return pixels
  }
  return count(await draw(true), await draw(false))
}

/**
 * Decodes positions and normals of all vertices at a moment with decode.wgsl, by WebGPU: `[vertex][xyz]` each.
 *
 * @param decode text of decode.wgsl
 */
window.decodeWithWgsl = async (url, decode, { clip, seconds }) => {
  const { readVat } = await import(/* @vite-ignore */ `${url}/model_three.js`)
  const { sidecar, layers, submeshes } = await readVat(`${url}/model.json`)
  const { firstRow, frameCount, fps, loop } = sidecar.clips[clip]
  const { columnsPerRow, rowsPerFrame } = sidecar.layout
  const vector = (values) => (values.length === 1 ? `f32(${values[0]})` : `vec${values.length}f(${values.join(', ')})`)
  const layer = ({ role, pixels, type, channels, scale, offset, baseRow, baseColumn }) => {
    const texel = type === 'unorm8x2' || type === 'unorm16'
      ? `vat_join(textureLoad(${role}_map, pixel, 0), textureLoad(${role}_map, pixel + vec2i(0, ${pixels.height / 2}), 0))`
      : `textureLoad(${role}_map, pixel, 0)`
    return `
      fn ${role}_value(address: vec2f, frame: f32) -> ${channels.length === 1 ? 'f32' : `vec${channels.length}f`} {
        let pixel = vec2i(vec2f(${baseColumn}, ${baseRow + firstRow}) + address + vec2f(0, frame * ${rowsPerFrame}));
        return (${texel}).${channels} * ${vector(scale)} + ${vector(offset)};
      }`
  }
  const { position, normal } = layers
  const steps = { octahedral8: 256, octahedral12: 4096 }[normal.content]
  const direction = (frame) => {
    const value = `normal_value(address, ${frame})`
    return `normalize(vat_unfold(${steps ? `vat_unpack(${value}, ${steps})` : value}))`
  }
  const code = `${decode}
    @group(0) @binding(0) var<storage, read> uvs: array<vec2f>;
    @group(0) @binding(1) var<storage, read_write> values: array<f32>;
    @group(0) @binding(2) var position_map: texture_2d<f32>;
    @group(0) @binding(3) var normal_map: texture_2d<f32>;
    ${layer(position)}
    ${layer(normal)}
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
      let vertex = id.x;
      if (vertex >= arrayLength(&uvs)) { return; }
      let address = vat_address(uvs[vertex], vec2f(${columnsPerRow}, ${rowsPerFrame}));
      let frames = vat_frames(${seconds}, ${frameCount}, ${fps}, ${loop});
      let position = mix(position_value(address, frames.x), position_value(address, frames.y), frames.z);
      let normal = normalize(mix(${direction('frames.x')}, ${direction('frames.y')}, frames.z));
      for (var i = 0u; i < 3; i++) {
        values[vertex * 6 + i] = position[i];
        values[vertex * 6 + 3 + i] = normal[i];
      }
    }`
  const device = await (await navigator.gpu.requestAdapter()).requestDevice()
  const module = device.createShaderModule({ code })
  const { messages } = await module.getCompilationInfo()
  if (messages.length > 0) throw new Error(messages.map(({ lineNum, message }) => `${lineNum}: ${message}`).join('\n'))
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'main' } })
  const uvs = Float32Array.from(submeshes.flatMap(({ attributes }) => [...attributes.indexUV.array]))
  const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage
  const buffer = (size, usage) => device.createBuffer({ size, usage })
  const input = buffer(uvs.byteLength, STORAGE | COPY_DST)
  device.queue.writeBuffer(input, 0, uvs)
  const output = buffer(uvs.byteLength * 3, STORAGE | COPY_SRC)
  const copy = buffer(uvs.byteLength * 3, MAP_READ | COPY_DST)
  const texture = ({ pixels: { width, height, kind, data } }) => {
    const [format, bytes] = { byte: ['rgba8unorm', 4], half: ['rgba16float', 8], float: ['rgba32float', 16] }[kind]
    const made = device.createTexture({ size: [width, height], format, usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST })
    device.queue.writeTexture({ texture: made }, data, { bytesPerRow: width * bytes }, [width, height])
    return made.createView()
  }
  const resources = [{ buffer: input }, { buffer: output }, texture(position), texture(normal)]
  const entries = resources.map((resource, binding) => ({ binding, resource }))
  const encoder = device.createCommandEncoder()
  const pass = encoder.beginComputePass()
  pass.setPipeline(pipeline)
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }))
  pass.dispatchWorkgroups(Math.ceil(uvs.length / 2 / 64))
  pass.end()
  encoder.copyBufferToBuffer(output, 0, copy, 0, uvs.byteLength * 3)
  device.queue.submit([encoder.finish()])
  await copy.mapAsync(GPUMapMode.READ)
  const values = [...new Float32Array(copy.getMappedRange())]
  device.destroy()
  return { positions: values.filter((_, i) => i % 6 < 3), normals: values.filter((_, i) => i % 6 > 2) }
}

window.playersReady = true
