@tool
extends MultiMeshInstance3D
## An example: many of "{{name}}" in one draw call, each with a clip, a phase and a speed of its own.

const CLIP_COUNT := {{clip_count}}

@export_range(1, 100000) var count := 200:
	set(value):
		count = value
		if is_node_ready():
			fill()

@export var distance := {{distance}}:
	set(value):
		distance = value
		if is_node_ready():
			fill()


func _ready() -> void:
	fill()


func fill() -> void:
	var model: Node = preload("{{scene}}").instantiate()
	var found: MeshInstance3D = model.get_node("Model/Mesh")
	var mesh: ArrayMesh = found.mesh.duplicate()
	var box := found.custom_aabb
	for index in mesh.get_surface_count():
		# The scene has made this material for itself; here it goes on with the mesh.
		var material: ShaderMaterial = found.get_surface_override_material(index)
		material.set_shader_parameter("vat_crowd", true)
		mesh.surface_set_material(index, material)
	model.free()

	var crowd := MultiMesh.new()
	crowd.transform_format = MultiMesh.TRANSFORM_3D
	crowd.use_custom_data = true
	crowd.use_colors = {{has_colors}}
	crowd.mesh = mesh
	crowd.instance_count = count
	var side := ceili(sqrt(count))
	var all := AABB(box)
	for index in count:
		var place := Vector3(index % side, 0.0, index / side) * distance
		var random := RandomNumberGenerator.new()
		random.seed = index
		crowd.set_instance_transform(index, Transform3D(Basis(), place))
		# Clip, phase in seconds, speed.
		crowd.set_instance_custom_data(index, Color(index % CLIP_COUNT, random.randf() * 10.0, random.randf_range(0.8, 1.2), 0.0))
		if crowd.use_colors:
			crowd.set_instance_color(index, Color.WHITE)
		all = all.merge(AABB(box.position + place, box.size))
	multimesh = crowd
	custom_aabb = all
	# The data of an instance are no movement: in between two of them is nothing.
	physics_interpolation_mode = PHYSICS_INTERPOLATION_MODE_OFF
