// `npm run bench`: measures speed and memory and prints one table of ratios. Nothing is asserted.
//
// - Read the ratios. The figures beside them depend on the machine and on what else it does; both sides of a ratio are taken in
//   turns, in one run, as medians. Processor time counts all threads and suffers least from a busy machine.
// - "sampling" is the arithmetic of one frame, without posing bones, against Babylon.js on its NullEngine, in processor time.
// - "whole process" is `vat-studio bake` from the start of Node to its end: read, sample, write EXR and rest mesh, read back,
//   measure every vertex of every frame. Blender's side (blender_bake.py) reads, evaluates and writes, but reads nothing back;
//   it takes its numbers either vertex by vertex, as most add-ons and tutorials do, or in bulk through numpy, which few do.
//   "same work" leaves out what only one side does: the start of either program and
//   our verification. All of it is left out where ../shared/tools has no engines.
// - "peak memory" is the largest resident memory of the process with its worker thread, against twice the bytes of its textures
//   (width × height × 3 channels × bytes a number, positions and normals) plus 250 MB.
// - "a vertex and frame" is a whole process again, so a small bake also bears the start of Node; without that it is level.
//
// Takes about four minutes and half a gigabyte of the temporary folder.
import { root, withCompiled } from '../compiled.mjs'

process.chdir(root)
await withCompiled({ bench: 'tests/bench/bench.ts' }, async (url) => {
  const { bench } = await import(url('bench'))
  await bench()
})
