// AssemblyScript, compiled by build/kernel/write-kernel.mjs into main/model/skin-kernel-code.ts. `v128` and friends are its own.

/**
 * Linear blend skinning of positions and normals for four influences a vertex: what `blendMatrices`, `placeVertices` and
 * `transformNormals` of main/model do, two numbers at a time, in the same order of operations, so that every bit is the same.
 *
 * All arguments but `count` and `handedness` are addresses.
 *
 * @param matrices     `[matrix][16]` f64, column-major
 * @param joints       `[vertex][4]` u32: bytes from the first matrix to the joint's
 * @param weights      `[vertex][4]` f64
 * @param positions    `[vertex][xyz]` f32
 * @param normals      `[vertex][xyz]` f32, or 0 where none are wanted
 * @param handedness   1, or -1 where the space is mirrored
 * @param outPositions `[vertex][xyz]` f32
 * @param outNormals   `[vertex][xyz]` f32
 * @param special      u32: takes the vertices whose matrix mirrors or flattens, for the slow way to treat
 * @returns how many of those there are
 */
export function skin(
  count: i32,
  matrices: usize,
  joints: usize,
  weights: usize,
  positions: usize,
  normals: usize,
  handedness: f64,
  outPositions: usize,
  outNormals: usize,
  special: usize,
): i32 {
  let specials: i32 = 0
  for (let vertex: i32 = 0; vertex < count; vertex++) {
    const a = matrices + <usize>load<u32>(joints)
    const b = matrices + <usize>load<u32>(joints, 4)
    const c = matrices + <usize>load<u32>(joints, 8)
    const d = matrices + <usize>load<u32>(joints, 12)
    const wa = v128.load64_splat(weights)
    const wb = v128.load64_splat(weights, 8)
    const wc = v128.load64_splat(weights, 16)
    const wd = v128.load64_splat(weights, 24)

    // Each column in two halves: x with y, and z.
    const xy0 = blend(a, b, c, d, wa, wb, wc, wd, 0)
    const z0 = blend(a, b, c, d, wa, wb, wc, wd, 16)
    const xy1 = blend(a, b, c, d, wa, wb, wc, wd, 32)
    const z1 = blend(a, b, c, d, wa, wb, wc, wd, 48)
    const xy2 = blend(a, b, c, d, wa, wb, wc, wd, 64)
    const z2 = blend(a, b, c, d, wa, wb, wc, wd, 80)
    const xy3 = blend(a, b, c, d, wa, wb, wc, wd, 96)
    const z3 = blend(a, b, c, d, wa, wb, wc, wd, 112)

    const px = f64x2.splat(<f64>load<f32>(positions))
    const py = f64x2.splat(<f64>load<f32>(positions, 4))
    const pz = f64x2.splat(<f64>load<f32>(positions, 8))
    const xy = f64x2.add(f64x2.add(f64x2.add(f64x2.mul(xy0, px), f64x2.mul(xy1, py)), f64x2.mul(xy2, pz)), xy3)
    const z = f64x2.add(f64x2.add(f64x2.add(f64x2.mul(z0, px), f64x2.mul(z1, py)), f64x2.mul(z2, pz)), z3)
    store<f32>(outPositions, <f32>f64x2.extract_lane(xy, 0))
    store<f32>(outPositions, <f32>f64x2.extract_lane(xy, 1), 4)
    store<f32>(outPositions, <f32>f64x2.extract_lane(z, 0), 8)

    if (normals !== 0) {
      const ma = f64x2.extract_lane(xy0, 0)
      const mb = f64x2.extract_lane(xy0, 1)
      const mc = f64x2.extract_lane(z0, 0)
      const md = f64x2.extract_lane(xy1, 0)
      const me = f64x2.extract_lane(xy1, 1)
      const mf = f64x2.extract_lane(z1, 0)
      const mg = f64x2.extract_lane(xy2, 0)
      const mh = f64x2.extract_lane(xy2, 1)
      const mi = f64x2.extract_lane(z2, 0)
      const x = <f64>load<f32>(normals)
      const y = <f64>load<f32>(normals, 4)
      const w = <f64>load<f32>(normals, 8)
      const ca = me * mi - mf * mh
      const cb = mf * mg - md * mi
      const cc = md * mh - me * mg
      const nx = ca * x + (mh * mc - mi * mb) * y + (mb * mf - mc * me) * w
      const ny = cb * x + (mi * ma - mg * mc) * y + (mc * md - ma * mf) * w
      const nz = cc * x + (mg * mb - mh * ma) * y + (ma * me - mb * md) * w
      const square = nx * nx + ny * ny + nz * nz
      const determinant = ma * ca + mb * cb + mc * cc
      if (square > 1e-290 && square < Infinity && determinant * handedness > 0) {
        const scale = handedness / Math.sqrt(square)
        store<f32>(outNormals, <f32>(nx * scale))
        store<f32>(outNormals, <f32>(ny * scale), 4)
        store<f32>(outNormals, <f32>(nz * scale), 8)
      } else {
        store<u32>(special + (<usize>specials << 2), vertex)
        specials++
      }
      normals += 12
      outNormals += 12
    }
    joints += 16
    weights += 32
    positions += 12
    outPositions += 12
  }
  return specials
}

// @ts-ignore: decorators are AssemblyScript's
@inline
function blend(a: usize, b: usize, c: usize, d: usize, wa: v128, wb: v128, wc: v128, wd: v128, at: usize): v128 {
  const ab = f64x2.add(f64x2.mul(wa, v128.load(a + at)), f64x2.mul(wb, v128.load(b + at)))
  return f64x2.add(f64x2.add(ab, f64x2.mul(wc, v128.load(c + at))), f64x2.mul(wd, v128.load(d + at)))
}
