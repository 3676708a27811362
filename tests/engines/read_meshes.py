"""Imports meshes in Blender and writes what every corner of every triangle has, in Blender's world: metres, Z up.

blender -b --factory-startup -noaudio --python read_meshes.py -- FILE...
Writes for each file FILE.<importer>.json, of FBX with both of Blender's importers ("legacy" and "new"), of glTF with its one:
[{"name", "materials": [name], "images": [file name], "uvs": {set: [corner][uv]}, "colors": [corner][rgba],
  "triangles": [{"material": index, "positions": [xyz]*3, "normals": [xyz]*3, "corners": [corner]*3}]}]
"""
import json
import os
import sys

import bpy


def clear():
    for objects in (bpy.data.objects, bpy.data.meshes, bpy.data.materials, bpy.data.images):
        for thing in list(objects):
            objects.remove(thing)


def describe(item):
    mesh, world = item.data, item.matrix_world
    turn = world.to_3x3().inverted_safe().transposed()
    corners = range(len(mesh.loops))
    images = {node.image.name: os.path.basename(node.image.filepath) for slot in item.material_slots if slot.material and slot.material.node_tree
              for node in slot.material.node_tree.nodes if node.type == 'TEX_IMAGE' and node.image}
    return {
        'name': item.name,
        'materials': [slot.material.name for slot in item.material_slots if slot.material],
        'images': sorted(set(images.values())),
        'uvs': {layer.name: [list(layer.uv[i].vector) for i in corners] for layer in mesh.uv_layers},
        'colors': [list(mesh.color_attributes[0].data[i].color) for i in corners] if mesh.color_attributes else [],
        'triangles': [{
            'material': polygon.material_index,
            'corners': list(polygon.loop_indices),
            'positions': [list(world @ mesh.vertices[vertex].co) for vertex in polygon.vertices],
            'normals': [list((turn @ mesh.corner_normals[i].vector).normalized()) for i in polygon.loop_indices],
        } for polygon in mesh.polygons],
    }


for path in sys.argv[sys.argv.index('--') + 1:]:
    importers = {
        'legacy': lambda: bpy.ops.import_scene.fbx(filepath=path, colors_type='LINEAR'),
        'new': lambda: bpy.ops.wm.fbx_import(filepath=path, import_colors='LINEAR'),
    } if path.endswith('.fbx') else {'gltf': lambda: bpy.ops.import_scene.gltf(filepath=path, merge_vertices=False)}
    for name, read in importers.items():
        clear()
        read()
        meshes = [describe(item) for item in bpy.data.objects if item.type == 'MESH']
        with open('%s.%s.json' % (path, name), 'w') as file:
            json.dump(meshes, file)
