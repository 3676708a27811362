/** What the tests ask of the page: it loads the players as anybody would, as modules beside a bake. */

/** Decodes all vertices a third into the first clip with the player's own GLSL, by transform feedback. */
window.readFrame = async (url) => {
  const { readVat, decodingShader, rowsAt } = await import(`${url}/model_three.js`)
  const bake = await readVat(`${url}/model.json`)
  const shader = decodingShader(bake)
  const [clip] = bake.sidecar.clips
  const rows = rowsAt(bake.sidecar, clip, clip.duration / 3)
  const gl = new OffscreenCanvas(1, 1).getContext('webgl2')
  const program = gl.createProgram()
  const attach = (type, text) => {
    const made = gl.createShader(type)
    gl.shaderSource(made, `#version 300 es\nprecision highp float;\n${text}`)
    gl.compileShader(made)
    if (!gl.getShaderParameter(made, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(made))
    gl.attachShader(program, made)
  }
  const isOffset = bake.layers.position.content === 'offset'
  attach(
    gl.VERTEX_SHADER,
    `in vec2 indexUV; in vec3 rest; out vec3 result; uniform vec3 rows; ${shader}
     void main() {
       vec2 address = vat_address(indexUV, VAT_LAYOUT);
       result = mix(vat_position(address, rows.x), vat_position(address, rows.y), rows.z) ${isOffset ? '+ rest' : '+ 0.0 * rest'};
     }`,
  )
  attach(gl.FRAGMENT_SHADER, 'out vec4 color; void main() { color = vec4(0.0); }')
  gl.transformFeedbackVaryings(program, ['result'], gl.INTERLEAVED_ATTRIBS)
  gl.linkProgram(program)
  gl.useProgram(program)
  gl.uniform3fv(gl.getUniformLocation(program, 'rows'), rows)
  const { width, height, kind, data } = bake.layers.position.pixels
  const formats = { byte: [gl.RGBA8, gl.UNSIGNED_BYTE], half: [gl.RGBA16F, gl.HALF_FLOAT], float: [gl.RGBA32F, gl.FLOAT] }
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture())
  gl.texImage2D(gl.TEXTURE_2D, 0, formats[kind][0], width, height, 0, gl.RGBA, formats[kind][1], data)
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
  const all = []
  for (const { attributes } of bake.submeshes) {
    for (const [name, { array }, size] of [['indexUV', attributes.indexUV, 2], ['rest', attributes.POSITION, 3]]) {
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer())
      gl.bufferData(gl.ARRAY_BUFFER, array, gl.STATIC_DRAW)
      const at = gl.getAttribLocation(program, name)
      gl.enableVertexAttribArray(at)
      gl.vertexAttribPointer(at, size, gl.FLOAT, false, 0, 0)
    }
    const count = attributes.POSITION.array.length / 3
    const buffer = gl.createBuffer()
    gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, buffer)
    gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, count * 12, gl.STATIC_READ)
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, buffer)
    gl.enable(gl.RASTERIZER_DISCARD)
    gl.beginTransformFeedback(gl.POINTS)
    gl.drawArrays(gl.POINTS, 0, count)
    gl.endTransformFeedback()
    const values = new Float32Array(count * 3)
    gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, values)
    all.push(...values)
  }
  return all
}

/** Draws a third into the first clip; `[row][x][rgba]`. */
async function drawFrame(engine, url, { min, max }, way = 'object') {
  const { loadVat } = await import(`${url}/model_${engine}.js`)
  const size = max.map((value, axis) => value - min[axis])
  const target = min.map((value, axis) => value + size[axis] / 2)
  const distance = Math.hypot(...size) * 1.2
  const eye = [0.6, 0.35, 0.72].map((way, axis) => target[axis] + way * distance)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 320
  if (engine === 'three') {
    const THREE = await import('three')
    const renderer = new THREE.WebGLRenderer({ canvas, preserveDrawingBuffer: true })
    renderer.setSize(320, 320, false)
    renderer.shadowMap.enabled = true
    const scene = new THREE.Scene()
    scene.background = new THREE.Color(0.2, 0.25, 0.3)
    const sun = new THREE.DirectionalLight(0xffffff, 2)
    sun.position.set(1, 2, 1)
    scene.add(sun, new THREE.AmbientLight(0xffffff, 0.5))
    const camera = new THREE.PerspectiveCamera(40, 1, distance / 100, distance * 10)
    camera.position.set(...eye)
    camera.lookAt(...target)
    const player = await loadVat(THREE, `${url}/model.json`)
    const time = player.clips[0].duration / 3
    player.show(0, time)
    scene.add(way === 'crowd' ? player.crowd([{ clip: 0, phase: time, matrix: new THREE.Matrix4() }]) : player.object)
    renderer.render(scene, camera)
  } else {
    const { BABYLON } = window
    const made = new BABYLON.Engine(canvas, false, { preserveDrawingBuffer: true })
    const scene = new BABYLON.Scene(made)
    // Babylon's loaders turn a model round in a left-handed scene, which mirrors x.
    const x = way === 'left-handed' ? -1 : 1
    scene.useRightHandedSystem = x > 0
    scene.clearColor = new BABYLON.Color4(0.2, 0.25, 0.3, 1)
    new BABYLON.HemisphericLight('sun', new BABYLON.Vector3(x, 2, 1), scene)
    const camera = new BABYLON.TargetCamera('camera', new BABYLON.Vector3(x * eye[0], eye[1], eye[2]), scene)
    camera.setTarget(new BABYLON.Vector3(x * target[0], target[1], target[2]))
    camera.fov = 0.7
    camera.minZ = distance / 100
    camera.maxZ = distance * 10
    const player = await loadVat(BABYLON, `${url}/model.json`, scene)
    const time = player.clips[0].duration / 3
    player.show(0, time)
    if (way === 'crowd') {
      player.object.setEnabled(false)
      player.crowd([{ clip: 0, phase: time, matrix: BABYLON.Matrix.Identity() }])
    }
    await scene.whenReadyAsync()
    scene.render()
  }
  const gl = canvas.getContext('webgl2')
  const pixels = new Uint8Array(320 * 320 * 4)
  gl.readPixels(0, 0, 320, 320, gl.RGBA, gl.UNSIGNED_BYTE, pixels)
  return pixels
}

/** How two bakes differ in a picture: pixels in all, those where something is, and those that differ by more than 8 of 255. */
window.compareFrames = async (engine, one, other, box, way) => {
  const [ours, truth] = [await drawFrame(engine, one, box, way), await drawFrame(engine, other, box)]
  const differs = (a, i, b, j) => [0, 1, 2].some((channel) => Math.abs(a[i + channel] - b[j + channel]) > 8)
  const counts = { pixels: truth.length / 4, drawn: 0, beyond: 0 }
  for (let i = 0; i < truth.length; i += 4) {
    if (differs(truth, i, truth, 0)) counts.drawn++
    if (differs(truth, i, ours, i)) counts.beyond++
  }
  return counts
}
