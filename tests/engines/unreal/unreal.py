"""Stands in for the module that the editor of Unreal gives to Python: takes everything, does nothing, and remembers it all.

Names that are not in the lists below (written from Epic's public reference of the module) are refused as the editor refuses what
it does not have, so that a typing error is one here too. `report()` is what was done.
"""

import json
import sys

# Properties of each class that may be set, as the editor's own reference lists them.
CLASSES = {
    "AssetImportTask": "filename destination_path destination_name automated replace_existing replace_existing_settings save options factory",
    "FbxImportUI": "import_mesh import_as_skeletal import_animations import_materials import_textures automated_import_should_detect_type "
    "mesh_type_to_import original_import_type static_mesh_import_data",
    "FbxStaticMeshImportData": "combine_meshes auto_generate_collision remove_degenerates generate_lightmap_u_vs build_nanite "
    "build_reversed_index_buffer normal_import_method normal_generation_method vertex_color_import_option "
    "reorder_material_to_fbx_order convert_scene convert_scene_unit force_front_x_axis import_uniform_scale transform_vertex_to_absolute",
    "Texture2D": "srgb compression_settings compression_no_alpha mip_gen_settings lod_group lod_bias max_texture_size power_of_two_mode "
    "never_stream virtual_texture_streaming filter address_x address_y flip_green_channel",
    "StaticMesh": "nanite_settings light_map_coordinate_index light_map_resolution positive_bounds_extension negative_bounds_extension",
    "MeshNaniteSettings": "enabled",
    "MeshBuildSettings": "use_full_precision_u_vs generate_lightmap_u_vs remove_degenerates recompute_normals recompute_tangents "
    "use_mikk_t_space use_high_precision_tangent_basis",
    "Material": "two_sided blend_mode opacity_mask_clip_value shading_model tangent_space_normal",
    "MaterialInstanceConstant": "",
    "MaterialFactoryNew": "",
    "MaterialInstanceConstantFactoryNew": "",
    "CustomInput": "input_name",
    "CustomOutput": "output_name output_type",
    "MaterialExpressionScalarParameter": "parameter_name default_value group",
    "MaterialExpressionVectorParameter": "parameter_name default_value group",
    "MaterialExpressionTextureObjectParameter": "parameter_name texture sampler_type group",
    "MaterialExpressionTextureSampleParameter2D": "parameter_name texture sampler_type group",
    "MaterialExpressionTextureCoordinate": "coordinate_index u_tiling v_tiling",
    "MaterialExpressionPerInstanceCustomData": "data_index const_default_value",
    "MaterialExpressionCustom": "code description output_type inputs additional_outputs",
    "MaterialExpressionTransform": "transform_source_type transform_type",
    "MaterialExpressionVertexInterpolator": "",
    "MaterialExpressionPreSkinnedPosition": "",
    "MaterialExpressionWorldPosition": "",
    "MaterialExpressionVertexColor": "",
    "MaterialExpressionTime": "",
    "MaterialExpressionMultiply": "const_a const_b",
    "MaterialExpressionAdd": "const_a const_b",
    "MaterialExpressionLinearInterpolate": "const_a const_b const_alpha",
    "MaterialExpressionConstant2Vector": "r g",
}
# What can be connected to each node, besides a Custom node's own inputs; "" is the only or the first.
INPUTS = {
    "MaterialExpressionMultiply": "A B",
    "MaterialExpressionAdd": "A B",
    "MaterialExpressionLinearInterpolate": "A B Alpha",
    "MaterialExpressionPerInstanceCustomData": "DefaultValue",
    "MaterialExpressionTextureSampleParameter2D": "UVs Tex",
    "MaterialExpressionVertexInterpolator": "VS",
    "MaterialExpressionTransform": "",
}
OUTPUTS = {
    "MaterialExpressionTextureSampleParameter2D": "RGB R G B A RGBA",
    "MaterialExpressionVectorParameter": " R G B A",
    "MaterialExpressionVertexColor": " R G B A",
    "MaterialExpressionVertexInterpolator": "PS",
}
ENUMS = {
    "TextureCompressionSettings": "TC_DEFAULT TC_NORMALMAP TC_MASKS TC_VECTOR_DISPLACEMENTMAP TC_HDR TC_HDR_F32 TC_HDR_COMPRESSED",
    "TextureMipGenSettings": "TMGS_NO_MIPMAPS TMGS_FROM_TEXTURE_GROUP",
    "TextureGroup": "TEXTUREGROUP_WORLD TEXTUREGROUP_COLOR_LOOKUP_TABLE",
    "TexturePowerOfTwoSetting": "NONE PAD_TO_POWER_OF_TWO",
    "TextureFilter": "TF_NEAREST TF_DEFAULT",
    "TextureAddress": "TA_CLAMP TA_WRAP TA_MIRROR",
    "FBXNormalImportMethod": "FBXNIM_COMPUTE_NORMALS FBXNIM_IMPORT_NORMALS FBXNIM_IMPORT_NORMALS_AND_TANGENTS",
    "FBXNormalGenerationMethod": "BUILT_IN MIKK_T_SPACE",
    "VertexColorImportOption": "REPLACE IGNORE OVERRIDE",
    "FBXImportType": "FBXIT_STATIC_MESH FBXIT_SKELETAL_MESH FBXIT_ANIMATION",
    "MaterialSamplerType": "SAMPLERTYPE_COLOR SAMPLERTYPE_LINEAR_COLOR SAMPLERTYPE_NORMAL SAMPLERTYPE_MASKS",
    "CustomMaterialOutputType": "CMOT_FLOAT1 CMOT_FLOAT2 CMOT_FLOAT3 CMOT_FLOAT4",
    "MaterialVectorCoordTransformSource": "TRANSFORMSOURCE_LOCAL TRANSFORMSOURCE_INSTANCE TRANSFORMSOURCE_WORLD",
    "MaterialVectorCoordTransform": "TRANSFORM_WORLD TRANSFORM_LOCAL TRANSFORM_TANGENT",
    "MaterialProperty": "MP_WORLD_POSITION_OFFSET MP_BASE_COLOR MP_METALLIC MP_ROUGHNESS MP_NORMAL MP_EMISSIVE_COLOR MP_OPACITY "
    "MP_OPACITY_MASK MP_AMBIENT_OCCLUSION",
    "BlendMode": "BLEND_OPAQUE BLEND_MASKED BLEND_TRANSLUCENT",
    "MaterialShadingModel": "MSM_DEFAULT_LIT MSM_UNLIT",
    "MaterialUsage": "MATUSAGE_INSTANCED_STATIC_MESHES MATUSAGE_NIAGARA_MESH_PARTICLES",
}

done = {"tasks": [], "warnings": [], "saved": [], "lods": [], "parents": {}, "scalars": {}}
assets = {}


class Enumeration:
    def __init__(self, name, values):
        self.name, self.values = name, values.split()

    def __getattr__(self, value):
        if value not in self.values:
            raise AttributeError(f"{self.name} has no {value}")
        return f"{self.name}.{value}"


class Thing:
    """An object of one of the classes."""

    def __init__(self, *arguments):
        self.kind = type(self).__name__
        self.properties = {}
        self.links = {}
        self.slots = {}
        self.nodes = []

    def set_editor_property(self, name, value):
        if name not in CLASSES[self.kind].split():
            raise Exception(f"{self.kind}: Failed to find property '{name}'")
        self.properties[name] = value

    def get_editor_property(self, name):
        return self.properties.setdefault(name, MeshNaniteSettings() if name == "nanite_settings" else None)

    def get_name(self):
        return self.kind

    def get_bounding_box(self):
        return Box(Vector(*RESTING["min"]), Vector(*RESTING["max"]))

    def set_material(self, slot, instance):
        self.slots[slot] = instance

    def get_material(self, slot):
        return self.slots.get(slot)


for name in CLASSES:
    globals()[name] = type(name, (Thing,), {})
for name, values in ENUMS.items():
    globals()[name] = Enumeration(name, values)
RESTING = {"min": [-1.0, -1.0, -1.0], "max": [1.0, 1.0, 1.0]}


class Vector:
    def __init__(self, x, y, z):
        self.x, self.y, self.z = x, y, z


class Box:
    def __init__(self, smallest, largest):
        self.min, self.max = smallest, largest


class LinearColor:
    def __init__(self, r, g, b, a):
        self.rgba = [r, g, b, a]


class AssetTools:
    def import_asset_tasks(self, tasks):
        for task in tasks:
            done["tasks"].append(task)
            kind = StaticMesh if task.properties["filename"].endswith(".fbx") else Texture2D
            assets.setdefault(f'{task.properties["destination_path"]}/{task.properties["destination_name"]}', kind())

    def create_asset(self, name, folder, kind, factory):
        asset = assets[f"{folder}/{name}"] = kind()
        return asset


class AssetToolsHelpers:
    @staticmethod
    def get_asset_tools():
        return AssetTools()


class EditorAssetLibrary:
    @staticmethod
    def does_asset_exist(path):
        return path in assets

    @staticmethod
    def save_directory(folder, only_if_is_dirty=True, recursive=True):
        done["saved"].append(folder)


class StaticMeshEditorSubsystem(Thing):
    def get_lod_build_settings(self, mesh, lod):
        return MeshBuildSettings()

    def set_lod_build_settings(self, mesh, lod, settings):
        done["lods"].append((lod, settings))


def get_editor_subsystem(kind):
    return kind()


class MaterialEditingLibrary:
    @staticmethod
    def delete_all_material_expressions(material):
        material.nodes.clear()
        material.links.clear()
        material.properties.pop("usages", None)

    @staticmethod
    def create_material_expression(material, kind, x, y):
        node = kind()
        material.nodes.append(node)
        return node

    @staticmethod
    def connect_material_expressions(source, output, node, name):
        inputs = INPUTS.get(node.kind, "").split() or [""]
        if node.kind == "MaterialExpressionCustom":
            inputs = [entry.properties["input_name"] for entry in node.properties["inputs"]]
        if name not in inputs or not has_output(source, output):
            return False
        node.links[name] = (source, output)
        return True

    @staticmethod
    def connect_material_property(source, output, result):
        material = next(asset for asset in assets.values() if source in asset.nodes)
        if not has_output(source, output):
            return False
        material.links[result.split(".")[1]] = (source, output)
        return True

    @staticmethod
    def set_material_usage(material, usage):
        material.properties.setdefault("usages", []).append(usage)

    @staticmethod
    def recompile_material(material):
        material.properties["compiled"] = True

    @staticmethod
    def set_material_instance_parent(instance, parent):
        done["parents"][id(instance)] = parent

    @staticmethod
    def set_material_instance_scalar_parameter_value(instance, name, value):
        done["scalars"][id(instance)] = {name: value}


def has_output(node, name):
    if node.kind == "MaterialExpressionCustom":
        outputs = ["", *(entry.properties["output_name"] for entry in node.properties.get("additional_outputs", []))]
    else:
        outputs = OUTPUTS.get(node.kind, "").split(" ") if node.kind in OUTPUTS else [""]
    return name in outputs


class ScopedSlowTask:
    def __init__(self, steps, title):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def make_dialog(self, can_cancel):
        pass

    def enter_progress_frame(self, steps, title):
        pass


def load_asset(path):
    return assets.get(path)


def log(text):
    pass


def log_warning(text):
    done["warnings"].append(text)


def plain(value, depth=0):
    """What was set, as JSON has it."""
    if isinstance(value, Thing):
        path = next((path for path, asset in assets.items() if asset is value), None)
        return path if path and depth else {name: plain(entry, depth + 1) for name, entry in value.properties.items()}
    if isinstance(value, Vector):
        return [value.x, value.y, value.z]
    if isinstance(value, LinearColor):
        return value.rgba
    if isinstance(value, (list, tuple)):
        return [plain(entry, depth + 1) for entry in value]
    return value


def graph(material):
    number = {id(node): index for index, node in enumerate(material.nodes)}

    def links(of):
        return {name: [number[id(source)], output] for name, (source, output) in of.items()}

    nodes = [{"kind": node.kind, "properties": plain(node), "links": links(node.links)} for node in material.nodes]
    return {"properties": plain(material), "nodes": nodes, "results": links(material.links)}


def report():
    kinds = {path: type(asset).__name__ for path, asset in assets.items()}
    return {
        "tasks": [plain(task) for task in done["tasks"]],
        "warnings": done["warnings"],
        "saved": done["saved"],
        "kinds": kinds,
        "properties": {path: plain(asset) for path, asset in assets.items() if kinds[path] in ("Texture2D", "StaticMesh")},
        "build": [[lod, plain(settings)] for lod, settings in done["lods"]],
        "slots": {path: {str(slot): plain(entry, 1) for slot, entry in asset.slots.items()} for path, asset in assets.items() if asset.slots},
        "materials": {path: graph(asset) for path, asset in assets.items() if kinds[path] == "Material"},
        "instances": {
            path: {"parent": plain(done["parents"][id(asset)], 1), **done["scalars"][id(asset)]}
            for path, asset in assets.items()
            if kinds[path] == "MaterialInstanceConstant"
        },
    }


if __name__ == "__main__":
    # python3 unreal.py SCRIPT [--again]: runs it as the editor does, and prints what it did.
    import runpy

    sys.modules["unreal"] = sys.modules["__main__"]
    runpy.run_path(sys.argv[1], run_name="__main__")
    if "--again" in sys.argv:
        # Somebody chooses the last instance for each slot, and bakes again.
        mesh = next(asset for asset in assets.values() if asset.slots)
        instances = [asset for asset in assets.values() if asset.kind == "MaterialInstanceConstant"]
        mesh.slots = {slot: instances[-1] for slot in mesh.slots}
        runpy.run_path(sys.argv[1], run_name="__main__")
    print(json.dumps(report()))
