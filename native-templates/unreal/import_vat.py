"""Brings the bake "{{name}}" of VAT Studio into Unreal Engine 5: textures, static mesh, material, and an instance for each clip.

In the editor: Tools > Execute Python Script, and this file. (Edit > Plugins > Python Editor Script Plugin has to be enabled; it is
part of Unreal.) Run it again after a new bake: textures, mesh and materials become the new ones in their place; parameters of the
instances, and the instance that was chosen for a slot of the mesh, stay.

Generated. What it reads lies beside it: {{description}} says what there is, {{code}} is the shader's code.
"""

import json
import os

import unreal

HERE = os.path.dirname(os.path.abspath(__file__))
# The frame that a crowd of instances starts from is told by these numbers of each: PerInstanceCustomData.
CLIP, PHASE, SPEED = 0, 1, 2
PARAMETERS = "VAT"


def read(file):
    with open(os.path.join(HERE, file), encoding="utf-8") as stream:
        return stream.read()


def set_all(thing, values):
    """Sets one property after the other; a name that this version of Unreal does not have is told and left."""
    for name, value in values.items():
        try:
            thing.set_editor_property(name, value)
        except Exception as error:
            unreal.log_warning(f"VAT Studio: {name} was not set: {error}")


def import_file(file, folder, asset, options=None):
    task = unreal.AssetImportTask()
    set_all(
        task,
        {
            "filename": os.path.join(HERE, file),
            "destination_path": folder,
            "destination_name": asset,
            "automated": True,
            "replace_existing": True,
            "replace_existing_settings": True,
            "save": False,
        },
    )
    if options:
        task.set_editor_property("options", options)
    unreal.AssetToolsHelpers.get_asset_tools().import_asset_tasks([task])
    imported = unreal.load_asset(f"{folder}/{asset}")
    if imported is None:
        raise RuntimeError(f"Unreal did not import {file}. Its log says why.")
    return imported


def import_vat_texture(texture, folder):
    """Numbers, not colours: every bit of them, where they are, at full size."""
    imported = import_file(texture["file"], folder, texture["asset"])
    set_all(
        imported,
        {
            "srgb": False,
            "compression_settings": getattr(unreal.TextureCompressionSettings, texture["compression"]),
            "compression_no_alpha": False,
            "mip_gen_settings": unreal.TextureMipGenSettings.TMGS_NO_MIPMAPS,
            "lod_group": unreal.TextureGroup.TEXTUREGROUP_COLOR_LOOKUP_TABLE,
            "lod_bias": 0,
            "max_texture_size": 0,
            "power_of_two_mode": unreal.TexturePowerOfTwoSetting.NONE,
            "never_stream": True,
            "virtual_texture_streaming": False,
            "filter": unreal.TextureFilter.TF_NEAREST,
            "address_x": unreal.TextureAddress.TA_CLAMP,
            "address_y": unreal.TextureAddress.TA_CLAMP,
        },
    )
    return imported


def import_image(image, folder):
    """A map of the model's own material."""
    imported = import_file(image["file"], folder, image["asset"])
    address = unreal.TextureAddress.TA_WRAP if image["repeats"] else unreal.TextureAddress.TA_CLAMP
    set_all(
        imported,
        {
            "srgb": image["isColor"],
            "compression_settings": getattr(unreal.TextureCompressionSettings, image["compression"]),
            "flip_green_channel": image["flipGreen"],
            "address_x": address,
            "address_y": address,
        },
    )
    return imported


def import_mesh(mesh, folder):
    data = unreal.FbxStaticMeshImportData()
    set_all(
        data,
        {
            "combine_meshes": True,
            "auto_generate_collision": False,
            "remove_degenerates": False,
            "generate_lightmap_u_vs": False,
            "build_nanite": False,
            "build_reversed_index_buffer": False,
            "normal_import_method": unreal.FBXNormalImportMethod.FBXNIM_IMPORT_NORMALS_AND_TANGENTS,
            "normal_generation_method": unreal.FBXNormalGenerationMethod.BUILT_IN,
            "vertex_color_import_option": unreal.VertexColorImportOption.REPLACE,
            "reorder_material_to_fbx_order": True,
            # The file is in centimetres with Z up, and its front looks along -Y: nothing is left to convert but the mirrored Y.
            "convert_scene": True,
            "convert_scene_unit": False,
            "force_front_x_axis": False,
            "import_uniform_scale": 1.0,
        },
    )
    options = unreal.FbxImportUI()
    set_all(
        options,
        {
            "import_mesh": True,
            "import_as_skeletal": False,
            "import_animations": False,
            "import_materials": False,
            "import_textures": False,
            "automated_import_should_detect_type": False,
            "mesh_type_to_import": unreal.FBXImportType.FBXIT_STATIC_MESH,
            "static_mesh_import_data": data,
        },
    )
    imported = import_file(mesh["file"], folder, mesh["asset"], options)

    editor = unreal.get_editor_subsystem(unreal.StaticMeshEditorSubsystem)
    build = editor.get_lod_build_settings(imported, 0)
    set_all(
        build,
        {
            # The texture coordinates that address the textures are numbers of texels: halves would round them.
            "use_full_precision_u_vs": True,
            # It would write into a set of texture coordinates.
            "generate_lightmap_u_vs": False,
            "remove_degenerates": False,
            "recompute_normals": False,
            "recompute_tangents": False,
            "use_mikk_t_space": False,
            "use_high_precision_tangent_basis": True,
        },
    )
    editor.set_lod_build_settings(imported, 0, build)

    nanite = imported.get_editor_property("nanite_settings")
    nanite.set_editor_property("enabled", False)
    box = imported.get_bounding_box()
    smallest, largest = vector(mesh["bounds"]["min"]), vector(mesh["bounds"]["max"])
    axes = ("x", "y", "z")
    set_all(
        imported,
        {
            "nanite_settings": nanite,
            "light_map_coordinate_index": mesh["lightMapUV"],
            # Whatever moves out of the box at rest would not be drawn.
            "positive_bounds_extension": unreal.Vector(*(max(0.0, getattr(largest, axis) - getattr(box.max, axis)) for axis in axes)),
            "negative_bounds_extension": unreal.Vector(*(max(0.0, getattr(box.min, axis) - getattr(smallest, axis)) for axis in axes)),
        },
    )
    return imported


def vector(numbers):
    return unreal.Vector(*numbers)


class Graph:
    """A material and its nodes."""

    def __init__(self, material):
        self.material = material
        self.column = {}

    def add(self, kind, column, **values):
        row = self.column[column] = self.column.get(column, -1) + 1
        node = unreal.MaterialEditingLibrary.create_material_expression(self.material, kind, -300 * column, 160 * row)
        set_all(node, values)
        return node

    def link(self, source, output, node, name):
        if not unreal.MaterialEditingLibrary.connect_material_expressions(source, output, node, name):
            raise RuntimeError(f"{name} of {node.get_name()} could not be connected.")

    def end(self, source, output, result):
        if not unreal.MaterialEditingLibrary.connect_material_property(source, output, result):
            raise RuntimeError(f"{result} could not be connected.")

    def scalar(self, name, value, column, group=PARAMETERS):
        return self.add(unreal.MaterialExpressionScalarParameter, column, parameter_name=name, default_value=float(value), group=group)

    def times(self, one, other, column=1):
        """The product of two outputs (node, name)."""
        product = self.add(unreal.MaterialExpressionMultiply, column)
        self.link(*one, product, "A")
        self.link(*other, product, "B")
        return product, ""

    def to_world(self, source, output, column):
        transform = self.add(
            unreal.MaterialExpressionTransform,
            column,
            transform_source_type=unreal.MaterialVectorCoordTransformSource.TRANSFORMSOURCE_INSTANCE,
            transform_type=unreal.MaterialVectorCoordTransform.TRANSFORM_WORLD,
        )
        self.link(source, output, transform, "")
        return transform


def add_player(graph, bake, textures):
    """The node that reads the textures, and everything that steers it."""
    names = ["IndexUV", "Rest", "Time", "Clip", "Phase", "Speed", "Replay", "NextClip", "NextPhase", "Fade", "Manual", "ManualTime"]
    names += [texture["input"] for texture in bake["textures"]]
    player = graph.add(
        unreal.MaterialExpressionCustom,
        3,
        code=read(bake["code"]),
        description="VAT",
        output_type=unreal.CustomMaterialOutputType.CMOT_FLOAT3,
        inputs=[custom_input(name) for name in names],
        additional_outputs=[custom_output(name) for name in bake["outputs"]],
    )
    sources = {
        "IndexUV": graph.add(unreal.MaterialExpressionTextureCoordinate, 4, coordinate_index=bake["mesh"]["indexUV"]),
        "Rest": graph.add(unreal.MaterialExpressionPreSkinnedPosition, 4),
        "Time": graph.add(unreal.MaterialExpressionTime, 4),
    }
    # Of each instance where it has numbers of its own, else of the material.
    for name, index, value in (("Clip", CLIP, 0.0), ("Phase", PHASE, 0.0), ("Speed", SPEED, 1.0)):
        sources[name] = graph.add(unreal.MaterialExpressionPerInstanceCustomData, 4, data_index=index, const_default_value=value)
        graph.link(graph.scalar(name, value, 5), "", sources[name], "DefaultValue")
    for name, value in (("Replay", 1), ("NextClip", 0), ("NextPhase", 0), ("Fade", 0), ("Manual", 0), ("ManualTime", 0)):
        sources[name] = graph.scalar(name, value, 4)
    for texture in bake["textures"]:
        sources[texture["input"]] = graph.add(
            unreal.MaterialExpressionTextureObjectParameter,
            4,
            parameter_name=texture["input"],
            texture=textures[texture["input"]],
            sampler_type=unreal.MaterialSamplerType.SAMPLERTYPE_LINEAR_COLOR,
            group=PARAMETERS,
        )
    for name in names:
        graph.link(sources[name], "", player, name)
    return player


def custom_input(name):
    entry = unreal.CustomInput()
    entry.set_editor_property("input_name", name)
    return entry


def custom_output(name):
    entry = unreal.CustomOutput()
    set_all(entry, {"output_name": name, "output_type": unreal.CustomMaterialOutputType.CMOT_FLOAT3})
    return entry


def from_vertices(graph, player, output):
    """A direction of the player in the world, computed for vertices and blended between them."""
    stage = graph.add(unreal.MaterialExpressionVertexInterpolator, 1)
    graph.link(graph.to_world(player, output, 2), "", stage, "VS")
    return stage, "PS"


def add_surface(graph, bake, look, player, images):
    """The model's own look, as its file has it."""
    material = graph.material
    results = unreal.MaterialProperty
    kinds = unreal.MaterialSamplerType

    def sample(name, kind):
        use = look["maps"].get(name)
        if not use:
            return None
        uv = graph.add(
            unreal.MaterialExpressionTextureCoordinate,
            3,
            coordinate_index=use["uvSet"],
            u_tiling=use["uvScale"][0],
            v_tiling=use["uvScale"][1],
        )
        if any(use["uvOffset"]):
            moved = graph.add(unreal.MaterialExpressionAdd, 3)
            offset = graph.add(unreal.MaterialExpressionConstant2Vector, 3, r=use["uvOffset"][0], g=use["uvOffset"][1])
            graph.link(uv, "", moved, "A")
            graph.link(offset, "", moved, "B")
            uv = moved
        node = graph.add(
            unreal.MaterialExpressionTextureSampleParameter2D, 2, parameter_name=name, texture=images[use["asset"]], sampler_type=kind, group="Surface"
        )
        graph.link(uv, "", node, "UVs")
        return node

    def color(name, numbers):
        return graph.add(
            unreal.MaterialExpressionVectorParameter, 2, parameter_name=name, default_value=unreal.LinearColor(*numbers), group="Surface"
        )

    factor = color("BaseColor", look["baseColor"])
    base, alpha = (factor, ""), (factor, "A")
    texel = sample("BaseColorMap", kinds.SAMPLERTYPE_COLOR)
    if texel:
        base, alpha = graph.times((texel, "RGB"), base), graph.times((texel, "A"), alpha)
    if look["vertexColors"]:
        vertex = graph.add(unreal.MaterialExpressionVertexColor, 2)
        base, alpha = graph.times((vertex, ""), base), graph.times((vertex, "A"), alpha)

    set_all(
        material,
        {
            "two_sided": look["doubleSided"],
            "blend_mode": getattr(unreal.BlendMode, look["blendMode"]),
            "opacity_mask_clip_value": look["alphaCutoff"],
            "shading_model": unreal.MaterialShadingModel.MSM_UNLIT if look["unlit"] else unreal.MaterialShadingModel.MSM_DEFAULT_LIT,
            "tangent_space_normal": "Normal" not in bake["outputs"],
        },
    )
    if look["blendMode"] == "BLEND_MASKED":
        graph.end(*alpha, results.MP_OPACITY_MASK)
    if look["blendMode"] == "BLEND_TRANSLUCENT":
        graph.end(*alpha, results.MP_OPACITY)
    if look["unlit"]:
        graph.end(*base, results.MP_EMISSIVE_COLOR)
        return
    graph.end(*base, results.MP_BASE_COLOR)

    orm = sample("MetallicRoughnessMap", kinds.SAMPLERTYPE_MASKS)
    for name, value, channel, result in (
        ("Metallic", look["metallic"], "B", results.MP_METALLIC),
        ("Roughness", look["roughness"], "G", results.MP_ROUGHNESS),
    ):
        factor = graph.scalar(name, value, 2, "Surface"), ""
        graph.end(*(graph.times((orm, channel), factor) if orm else factor), result)
    occlusion = sample("OcclusionMap", kinds.SAMPLERTYPE_MASKS)
    if occlusion:
        weakened = graph.add(unreal.MaterialExpressionLinearInterpolate, 1, const_a=1.0, const_alpha=look["occlusionStrength"])
        graph.link(occlusion, "R", weakened, "B")
        graph.end(weakened, "", results.MP_AMBIENT_OCCLUSION)
    glow = color("Emissive", look["emissive"] + [1.0]), ""
    texel = sample("EmissiveMap", kinds.SAMPLERTYPE_COLOR)
    graph.end(*(graph.times((texel, "RGB"), glow) if texel else glow), results.MP_EMISSIVE_COLOR)

    bumps = sample("NormalMap", kinds.SAMPLERTYPE_NORMAL)
    if "Normal" in bake["outputs"]:
        normal = from_vertices(graph, player, "Normal")
        graph.end(*(add_bumps(graph, bake, look, player, normal, bumps) if bumps else normal), results.MP_NORMAL)
    elif bumps:
        graph.end(bumps, "RGB", results.MP_NORMAL)


# Without tangents in the bake they are taken from how position and coordinates change from pixel to pixel.
TANGENTS_OF_PIXELS = """float3 right = ddx(Position), down = ddy(Position);
float2 uvRight = ddx(UV), uvDown = ddy(UV);
float3 acrossRight = cross(down, Normal), acrossDown = cross(Normal, right);
float turned = dot(right, acrossRight) < 0.0 ? -1.0 : 1.0;
float3 Tangent = turned * (uvRight.x * acrossRight + uvDown.x * acrossDown);
float3 Bitangent = -turned * (uvRight.y * acrossRight + uvDown.y * acrossDown);
float scale = rsqrt(max(max(dot(Tangent, Tangent), dot(Bitangent, Bitangent)), 1e-20));
Tangent *= scale;
Bitangent *= scale;
"""


def add_bumps(graph, bake, look, player, normal, bumps):
    """The normal map in the space of the animated surface."""
    sources = {
        "Texel": (bumps, "RGB"),
        "Strength": (graph.scalar("NormalStrength", look["normalScale"], 2, "Surface"), ""),
        "Normal": normal,
    }
    has_tangents = "Tangent" in bake["outputs"]
    if has_tangents:
        sources.update({name: from_vertices(graph, player, name) for name in ("Tangent", "Bitangent")})
    else:
        uv = graph.add(unreal.MaterialExpressionTextureCoordinate, 2, coordinate_index=look["maps"]["NormalMap"]["uvSet"])
        sources.update({"Position": (graph.add(unreal.MaterialExpressionWorldPosition, 2), ""), "UV": (uv, "")})
    bumped = graph.add(
        unreal.MaterialExpressionCustom,
        1,
        description="VAT normal map",
        code=("" if has_tangents else TANGENTS_OF_PIXELS)
        + "return normalize(Texel.x * Strength * Tangent + Texel.y * Strength * Bitangent + Texel.z * Normal);",
        output_type=unreal.CustomMaterialOutputType.CMOT_FLOAT3,
        inputs=[custom_input(name) for name in sources],
    )
    for name, source in sources.items():
        graph.link(*source, bumped, name)
    return bumped, ""


def make_asset(folder, asset, kind, factory):
    """That of an earlier import where there is one: what uses it goes on using it."""
    path = f"{folder}/{asset}"
    if unreal.EditorAssetLibrary.does_asset_exist(path):
        return unreal.load_asset(path)
    return unreal.AssetToolsHelpers.get_asset_tools().create_asset(asset, folder, kind, factory)


def build_material(bake, look, textures, images):
    material = make_asset(bake["folder"], look["asset"], unreal.Material, unreal.MaterialFactoryNew())
    unreal.MaterialEditingLibrary.delete_all_material_expressions(material)
    graph = Graph(material)
    player = add_player(graph, bake, textures)
    graph.end(graph.to_world(player, "", 2), "", unreal.MaterialProperty.MP_WORLD_POSITION_OFFSET)
    add_surface(graph, bake, look, player, images)
    for usage in (unreal.MaterialUsage.MATUSAGE_INSTANCED_STATIC_MESHES, unreal.MaterialUsage.MATUSAGE_NIAGARA_MESH_PARTICLES):
        unreal.MaterialEditingLibrary.set_material_usage(material, usage)
    unreal.MaterialEditingLibrary.recompile_material(material)
    return material


def build_instance(bake, look, material, index, clip):
    instance = make_asset(
        bake["folder"], f'{look["instance"]}_{clip["asset"]}', unreal.MaterialInstanceConstant, unreal.MaterialInstanceConstantFactoryNew()
    )
    unreal.MaterialEditingLibrary.set_material_instance_parent(instance, material)
    unreal.MaterialEditingLibrary.set_material_instance_scalar_parameter_value(instance, "Clip", float(index))
    return instance


def main():
    bake = json.loads(read("{{description}}"))
    folder = bake["folder"]
    with unreal.ScopedSlowTask(4, "VAT Studio") as progress:
        progress.make_dialog(True)
        progress.enter_progress_frame(1, "Textures")
        textures = {texture["input"]: import_vat_texture(texture, folder) for texture in bake["textures"]}
        images = {image["asset"]: import_image(image, folder) for image in bake["images"]}
        progress.enter_progress_frame(1, "Mesh")
        mesh = import_mesh(bake["mesh"], folder)
        progress.enter_progress_frame(1, "Materials")
        for slot, look in enumerate(bake["materials"]):
            material = build_material(bake, look, textures, images)
            instances = [build_instance(bake, look, material, index, clip) for index, clip in enumerate(bake["clips"])]
            # One that somebody has chosen for the slot stays.
            if mesh.get_material(slot) not in instances:
                mesh.set_material(slot, instances[0])
        progress.enter_progress_frame(1, "Saving")
        unreal.EditorAssetLibrary.save_directory(folder, only_if_is_dirty=False, recursive=True)
    unreal.log(f'VAT Studio: {bake["name"]} is in {folder}. Drag {bake["mesh"]["asset"]} into a level.')


main()
