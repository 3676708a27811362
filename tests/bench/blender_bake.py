"""Bakes a clip of a glTF file the way a script in Blender does: frame by frame through the depsgraph, into two EXR images.

blender -b --factory-startup -noaudio --python blender_bake.py -- READING MODEL CLIP RATE WIDTH OUT SECOND...
  READING bulk: whole arrays through numpy; loop: vertex by vertex, as most add-ons and tutorials do
  RATE    keys of the file a second
  WIDTH   pixels a row
  OUT     begins the names of the files: <OUT>_pos.exr and <OUT>_nrm.exr, float32 with ZIP compression, glTF's axes
  SECOND  time of each frame
Normals are those that Blender makes of the moved triangles, which it has sooner than the file's own, carried along.
Prints "SPENT <seconds of this script> <seconds of processor time since Blender's start>".
"""
import math
import sys
import time

import bpy
import numpy as np

begin = time.perf_counter()
reading, model, clip, rate, width, out, *seconds = sys.argv[sys.argv.index('--') + 1:]
rate, width, seconds = int(rate), int(width), [float(second) for second in seconds]

bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = rate
# The importer's own choice of bones puts meshes that hang on them elsewhere where the rig is scaled; bones get no meshes to show them.
bpy.ops.import_scene.gltf(filepath=model, bone_heuristic='TEMPERANCE', disable_bone_shape=True)

# The importer puts each clip on a track of its own, whose strips begin at another frame than their keys: the action itself
# is what has to play.
for owner in [*bpy.data.objects, *bpy.data.shape_keys]:
    animation = owner.animation_data
    if animation:
        strips = [track.strips[0] for track in animation.nla_tracks if track.name == clip]
        for track in animation.nla_tracks:
            track.mute = True
        animation.action = strips[0].action if strips else None
        if strips:
            animation.action_slot = strips[0].action_slot

objects = [item for item in scene.objects if item.type == 'MESH']
counts = [len(item.data.vertices) for item in objects]
total = sum(counts)
height = math.ceil(total / width)
images = {role: np.zeros((len(seconds), height * width, 4), np.float32) for role in ('pos', 'nrm')}
buffers = [np.empty((count, 3), np.float32) for count in counts]

for frame, second in enumerate(seconds):
    at = second * rate
    scene.frame_set(math.floor(at), subframe=at % 1)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    first = 0
    for item, buffer in zip(objects, buffers):
        evaluated = item.evaluated_get(depsgraph)
        mesh = evaluated.data
        world = np.array(evaluated.matrix_world, np.float32)
        end = first + len(buffer)
        # Blender's x, y, z are glTF's x, -z, y.
        if reading == 'loop':
            matrix = evaluated.matrix_world
            turn = matrix.to_3x3().inverted_safe().transposed()
            for column, vertex in enumerate(mesh.vertices, first):
                x, y, z = matrix @ vertex.co
                images['pos'][frame, column, :3] = x, z, -y
                x, y, z = (turn @ vertex.normal).normalized()
                images['nrm'][frame, column, :3] = x, z, -y
            first = end
            continue
        mesh.attributes['position'].data.foreach_get('vector', buffer.ravel())
        moved = buffer @ world[:3, :3].T + world[:3, 3]
        images['pos'][frame, first:end, 0] = moved[:, 0]
        images['pos'][frame, first:end, 1] = moved[:, 2]
        images['pos'][frame, first:end, 2] = -moved[:, 1]
        mesh.vertex_normals.foreach_get('vector', buffer.ravel())
        turned = buffer @ np.linalg.inv(world[:3, :3])
        turned /= np.maximum(np.linalg.norm(turned, axis=1, keepdims=True), 1e-30)
        images['nrm'][frame, first:end, 0] = turned[:, 0]
        images['nrm'][frame, first:end, 1] = turned[:, 2]
        images['nrm'][frame, first:end, 2] = -turned[:, 1]
        first = end

settings = scene.render.image_settings
settings.file_format = 'OPEN_EXR'
settings.color_mode = 'RGB'
settings.color_depth = '32'
settings.exr_codec = 'ZIP'
for role, pixels in images.items():
    rows = pixels.reshape(len(seconds) * height, width, 4)
    image = bpy.data.images.new(role, width, len(rows), float_buffer=True, is_data=True)
    # The lowest row is an image's first.
    image.pixels.foreach_set(np.ascontiguousarray(rows[::-1]).ravel())
    image.save_render('%s_%s.exr' % (out, role), scene=scene)

print('SPENT', time.perf_counter() - begin, time.process_time(), flush=True)
