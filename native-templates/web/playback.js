/** GLSL of a layer at the time of playback: two frames blended, and the clip that is faded to. */
function blended(role) {
  const frames = (rows) => `mix(vat_${role}(vatAddress, ${rows}.x), vat_${role}(vatAddress, ${rows}.y), ${rows}.z)`
  return `(vatFade > 0.0 ? mix(${frames('vatRowsNow')}, ${frames('vatNext')}, vatFade) : ${frames('vatRowsNow')})`
}

/** An instance's rows: it has first row, frames (negative where they do not loop), frames a second, seconds ahead. */
const CROWD_ROWS = `
  vec3 vatShown = vat_frames(vatSeconds * vatSpeed + vatInstance.w, abs(vatInstance.y), vatInstance.z, vatInstance.y > 0.0);
  vec3 vatRowsNow = vec3(vatInstance.x + vatShown.xy * VAT_LAYOUT.y, vatShown.z);`

function crowdData({ clips }, find, instances) {
  return Float32Array.from(
    instances.flatMap(({ clip = 0, phase = 0 }) => {
      const { firstRow, frameCount, fps, loop, frameRows } = clips[find(clip)]
      if (frameRows) throw new Error('A crowd cannot play a bake whose equal frames are stored once.')
      return [firstRow, loop ? frameCount : -frameCount, fps, phase]
    }),
  )
}

/** What is played, and when; `set` takes it to the GPU. */
function createPlayback(sidecar, set) {
  const { clips } = sidecar
  const now = { clip: 0, seconds: 0 }
  const next = { clip: -1, seconds: 0, fade: 0, fadeSeconds: 0 }
  let all = 0
  const find = (which) => {
    const index = typeof which === 'number' ? which : clips.findIndex(({ name }) => name === which)
    if (!clips[index]) throw new Error(`There is no clip ${which}.`)
    return index
  }
  const show = () => {
    set.rows(rowsAt(sidecar, clips[now.clip], now.seconds))
    if (next.clip >= 0) set.next(rowsAt(sidecar, clips[next.clip], next.seconds), Math.min(next.fade, 1))
    else set.next([0, 0, 0], 0)
  }
  show()
  return {
    clips,
    find,
    /** Plays a clip, by name or number, from its beginning; the present one is faded out. */
    play(which, fadeSeconds = 0) {
      const clip = find(which)
      if (fadeSeconds > 0) Object.assign(next, { clip, seconds: 0, fade: 0, fadeSeconds })
      else {
        Object.assign(now, { clip, seconds: 0 })
        next.clip = -1
      }
      show()
    },
    /** Shows a time of a clip, in seconds. */
    show(which, seconds) {
      Object.assign(now, { clip: find(which), seconds })
      next.clip = -1
      show()
    },
    /** Goes on by some seconds. */
    update(seconds) {
      all += seconds
      now.seconds += seconds
      next.seconds += seconds
      if (next.clip >= 0) {
        next.fade += seconds / next.fadeSeconds
        if (next.fade >= 1) {
          Object.assign(now, { clip: next.clip, seconds: next.seconds })
          next.clip = -1
        }
      }
      set.seconds(all)
      show()
    },
  }
}
