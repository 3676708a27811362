import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { HEAD, MOST_MEGABYTES, MOST_SECONDS, rowOf, runMeasured, warningsOf } from '../hostile/run-measured.ts'
import { compile } from '../process/build.ts'
import { describeWithEngines, SHARED } from './engine.ts'
import { printTable } from './print-table.ts'

/** What a file of the corpus comes to: the sentence of a refusal, or `[clip, warning]` of a bake; null for no warning. */
type Expected = RegExp | [clip: string, warning: RegExp | null]

const CORPUS = join(SHARED, 'corpus')

/** Every file of the corpus that is broken. */
const EXPECTED: Record<string, Expected> = {
  'other/AllIndicesOutOfRange/AllIndicesOutOfRange.gltf': /primitive 0 of mesh 0 \("Mesh"\) has index 65535, but only 24 vertices/,
  'other/BoxWithInfinites.glb': /the positions of primitive 0 of mesh 0 \("Mesh"\) have 24 not finite numbers/,
  'other/MissingBin_BoxTextured/MissingBin_BoxTextured.gltf': /needs BoxTextured0\.bin, which is missing/,
  'other/RecursiveNodes.gltf': /the hierarchy goes round in a circle \(2 nodes\)/,
  'other/validator_animation__channel_duplicate_targets.gltf': /no triangles/,
  'other/validator_animation__sampler_output_count_invalid.gltf': /channel 0 of animation 0 has 6 numbers for 1 key of scale, which take 3/,
  'other/validator_animation_data__invalid_input_values/validator_animation_data__invalid_input_values.gltf': /no triangles/,
  'other/validator_glb__chunk_too_big.glb': /no triangles/,
  'other/validator_glb__empty_file.glb': /is empty/,
  'other/validator_glb__invalid_magic.glb': /is not a GLB file/,
  'other/validator_glb__length_mismatch.glb': /no triangles/,
  'other/validator_glb__truncated_chunk_data.glb': /the chunk at byte 12 should have 28 bytes, but only 27 are there/,
  'other/validator_glb__two_bin_chunks.glb': /its first chunk is not JSON/,
  'other/validator_json__bom.gltf': /no triangles/,
  'other/validator_mesh_data__index_buffer_oob/validator_mesh_data__index_buffer_oob.gltf': /no triangles/,
  'other/validator_mesh_data__joints_no_weights.gltf': /buffer view 0 ends at byte 32, but buffer 0 has 16/,
  'other/validator_mesh_data__joints_weights_complex/validator_mesh_data__joints_weights_complex.gltf': /no triangles .*Left out 1 primitive of points or lines/,
  'other/validator_node__matrix_indecomposable.gltf': /no triangles/,
  'other/validator_node__node_loop.gltf': /the hierarchy goes round in a circle \(3 nodes\)/,
  'other/validator_node__node_skin_without_skinned_mesh.gltf': /no animation/,
  'other/validator_skin__ibm_invalid_count.gltf': /skin 2 has 2 inverse bind matrices for 3 joints/,
  'other/validator_skin_data__invalid_ibm/validator_skin_data__invalid_ibm.gltf': /no triangles/,
  'synth/bad_accessor_count_4e9.glb': /accessor 0 needs 48000000000 bytes for 4000000000 elements, but buffer view 0 has 972/,
  'synth/bad_accessor_past_buffer.glb': /accessor 0 needs 12000000 bytes for 1000000 elements, but buffer view 0 has 972/,
  'synth/bad_array.babylon': /bad_array\.babylon/,
  'synth/bad_channel_node_missing.glb': /channel 0 of animation 0 \("wiggle"\) moves node 999, but there are 5/,
  'synth/bad_empty_object.babylon': /bad_empty_object\.babylon/,
  'synth/bad_empty_scene.glb': /no triangles/,
  'synth/bad_header_length_long.glb': ['wiggle', /Read all chunks, though the header says 2147483648 bytes and the file has 8052/],
  'synth/bad_header_length_short.glb': ['wiggle', /Read all chunks, though the header says 100 bytes and the file has 8052/],
  'synth/bad_ibm_singular.glb': ['wiggle', /Kept \d matri(x|ces) that flatten what they move: the inverse bind matrices of skin 0/],
  'synth/bad_index_out_of_range.glb': /has index 65279, but only 81 vertices/,
  'synth/bad_joint_out_of_range.glb': /follows joint 200, but skin 0 has 3 joints/,
  'synth/bad_json_chunk_garbage.glb': /its JSON cannot be read/,
  'synth/bad_keyframe_nan.glb': /the keys of animation 1 \("nan"\) have 4 not finite numbers/,
  'synth/bad_keytime_duplicate.glb': ['dup', /Made 1 jump of keys with equal times: animation 1 \("dup"\)/],
  'synth/bad_keytimes_not_increasing.glb': /key 2 of animation 1 \("back"\) is at 0\.5 s, before key 1 at 1 s/,
  'synth/bad_missing_external/bad_missing_external.gltf': /needs gone\.bin, which is missing/,
  'synth/bad_node_cycle.glb': /node 0 \("joint_0"\) has two parents, nodes 2 and 4/,
  'synth/bad_png_named.glb': /is not a GLB file/,
  'synth/bad_position_inf.glb': /the positions of primitive 0 of mesh 0 \("bad_position_inf"\) have 3 not finite numbers/,
  'synth/bad_position_nan.glb': /the positions of primitive 0 of mesh 0 \("bad_position_nan"\) have 3 not finite numbers/,
  'synth/bad_required_extension.glb': /needs EXT_does_not_exist, which cannot be read/,
  'synth/bad_sampler_output_short.glb': /channel 0 of animation 0 \("wiggle"\) has 8 numbers for 5 keys of rotation, which take 20/,
  'synth/bad_text_named.fbx': /bad_text_named\.fbx/,
  'synth/bad_trailing_bytes.glb': ['wiggle', /Read all chunks, though the header says 8048 bytes and the file has 8056/],
  'synth/bad_truncated_bin.glb': /the chunk at byte 2668 should have 5372 bytes, but only 1348 are there/,
  'synth/bad_truncated_header.fbx': /bad_truncated_header\.fbx/,
  'synth/bad_uri_path_traversal.gltf': /needs \.\.\/.*etc\/passwd, which is outside of the model's folder/,
  'synth/bad_weights_all_zero.glb': ['wiggle', /Let 81 vertices without skin weights follow the node of the mesh/],
  'synth/bad_weights_nan.glb': ['wiggle', /Set 4 skin weights to 0 for being negative or not finite/],
  'synth/bad_weights_sum_2.glb': ['wiggle', /Scaled the skin weights of 81 vertices to sum up to 1/],
  'synth/bad_zero_bytes.glb': /is empty/,
  'synth/bad_zero_quaternion.glb': ['zq', /Read \d rotations? of length zero as none: animation 1 \("zq"\)/],
}

describeWithEngines('every broken file of the corpus ends soon, in little memory, with a sentence or a warned bake', () => {
  const rows: string[][] = []
  let program: string
  let remove: () => void
  let root: string

  beforeAll(async () => {
    ;({ program, remove } = await compile())
    root = mkdtempSync(join(tmpdir(), 'corpus-hostile-'))
  })
  afterAll(() => {
    printTable(HEAD, rows)
    remove()
    rmSync(root, { recursive: true, force: true })
  })

  it('none is left out', () => {
    const files = ['other', 'synth'].flatMap((folder) =>
      readdirSync(join(CORPUS, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    )
    const broken = files.filter((name) => /\.(gltf|glb|fbx|babylon)$/.test(name) && (name.startsWith('other/') || basename(name).startsWith('bad_')))
    expect(Object.keys(EXPECTED).sort()).toEqual(broken.sort())
  })

  it.each(Object.entries(EXPECTED))('%s', async (name, expected) => {
    const output = mkdtempSync(join(root, 'out-'))
    const clip = Array.isArray(expected) ? expected[0] : '#0'
    const ended = await runMeasured(program, ['bake', join(CORPUS, name), '--anim', clip, '--normals', '-o', output], root)
    const warnings = warningsOf(ended.stdout)
    rows.push(rowOf(name, ended, ended.stderr || warnings))
    if (Array.isArray(expected)) {
      expect(ended).toMatchObject({ status: 0, stderr: '' })
      if (expected[1]) expect(warnings).toMatch(expected[1])
      else expect(warnings).toBe('')
    } else {
      expect(ended.stderr.trimEnd()).toMatch(expected)
      expect(ended.stderr).toMatch(/^error: [^\n]+\n$/)
      expect(ended).toMatchObject({ status: 1, stdout: '' })
      expect(readdirSync(output)).toEqual([])
    }
    expect(ended.seconds).toBeLessThanOrEqual(MOST_SECONDS)
    expect(ended.megabytes).toBeLessThanOrEqual(MOST_MEGABYTES)
  })
})
