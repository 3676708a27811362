extends Node3D
## Draws what jobs.json asks for, one picture after the other, and saves each.

var size: Vector2i
var stage: Node3D
var camera: Camera3D
var viewport: SubViewport
var sun: DirectionalLight3D


func _ready() -> void:
	var jobs: Dictionary = JSON.parse_string(FileAccess.get_file_as_string("res://jobs.json"))
	size = Vector2i(jobs.size[0], jobs.size[1])
	viewport = SubViewport.new()
	viewport.size = size
	viewport.own_world_3d = true
	viewport.render_target_update_mode = SubViewport.UPDATE_ALWAYS
	add_child(viewport)
	camera = Camera3D.new()
	viewport.add_child(camera)
	sun = DirectionalLight3D.new()
	sun.transform = Transform3D(Basis.from_euler(Vector3(-0.9, 0.6, 0.0)))
	sun.shadow_enabled = true
	viewport.add_child(sun)
	var surroundings := WorldEnvironment.new()
	surroundings.environment = Environment.new()
	surroundings.environment.background_mode = Environment.BG_COLOR
	surroundings.environment.background_color = Color(0.2, 0.25, 0.3)
	surroundings.environment.ambient_light_source = Environment.AMBIENT_SOURCE_COLOR
	surroundings.environment.ambient_light_color = Color(0.5, 0.5, 0.5)
	viewport.add_child(surroundings)
	for shot: Dictionary in jobs.shots:
		await draw(shot)
	print("drawn")
	get_tree().quit()


func draw(shot: Dictionary) -> void:
	if shot.has("columns"):
		await draw_columns(shot)
		return
	if shot.get("keep", false) != true:
		if stage:
			stage.free()
		stage = Node3D.new()
		viewport.add_child(stage)
		if shot.has("floor"):
			add_floor(shot.floor)
		match shot.kind:
			"scene", "crowd":
				stage.add_child(load(shot.scene).instantiate())
			"reference":
				stage.add_child(reference(shot))
			"original":
				add_original(shot)
	if shot.kind == "scene":
		var mesh: MeshInstance3D = stage.get_child(-1).get_node("Model/Mesh")
		for index in mesh.get_surface_override_material_count():
			give(mesh.get_surface_override_material(index), shot.parameters)
		if shot.has("play"):
			stage.get_child(-1).play(shot.play, shot.get("fade", 0.0))
	elif shot.kind == "crowd":
		var crowd: MultiMeshInstance3D = stage.get_child(-1).get_node("Crowd")
		if not shot.get("keep", false):
			crowd.distance = shot.distance
			crowd.count = int(shot.count)
			stage.get_child(-1).get_node("Sun").free()
			stage.get_child(-1).get_node("Camera").free()
			for index in int(shot.count):
				var data: Array = shot.instances[index % shot.instances.size()]
				crowd.multimesh.set_instance_custom_data(index, Color(data[0], data[1], data[2], 0.0))
		for index in crowd.multimesh.mesh.get_surface_count():
			give(crowd.multimesh.mesh.surface_get_material(index), shot.parameters)
	if shot.get("only_shadow", false):
		var shown: Node3D = stage.get_child(-1)
		var mesh: MeshInstance3D = shown if shown is MeshInstance3D else shown.get_node("Model/Mesh")
		mesh.cast_shadow = GeometryInstance3D.SHADOW_CASTING_SETTING_SHADOWS_ONLY
	var eye := vector(shot.eye)
	var target := vector(shot.target)
	camera.fov = 40.0
	camera.near = eye.distance_to(target) / 100.0
	camera.far = eye.distance_to(target) * 10.0
	sun.shadow_enabled = shot.get("sun_casts", true)
	sun.directional_shadow_max_distance = eye.distance_to(target) * 3.0
	camera.look_at_from_position(eye, target)
	camera.make_current()
	for frame in int(shot.get("frames", 1)):
		await get_tree().process_frame
	await RenderingServer.frame_post_draw
	if shot.has("measure"):
		var begin := Time.get_ticks_usec()
		for frame in int(shot.measure):
			await RenderingServer.frame_post_draw
		print("frame time %s: %.2f ms" % [shot.out, (Time.get_ticks_usec() - begin) / 1000.0 / shot.measure])
	print("frame of %s: %d" % [shot.out, Engine.get_frames_drawn()])
	if shot.has("ask"):
		print("parameters of %s: %s" % [shot.out, JSON.stringify(parameters_of(shot.ask))])
	viewport.get_texture().get_image().save_png(shot.out)


func give(material: ShaderMaterial, parameters: Dictionary) -> void:
	for name: String in parameters:
		material.set_shader_parameter(name, parameters[name])


## What the first material of a scene has for these parameters.
func parameters_of(names: Array) -> Dictionary:
	var material: ShaderMaterial = stage.get_child(-1).get_node("Model/Mesh").get_surface_override_material(0)
	var values := {}
	for name: String in names:
		values[name] = material.get_shader_parameter(name)
	return values


func add_floor(height: float) -> void:
	var plane := MeshInstance3D.new()
	plane.mesh = PlaneMesh.new()
	plane.mesh.size = Vector2(1e4, 1e4)
	plane.position.y = height
	stage.add_child(plane)


## A mesh of the vertices that it is given, with the materials that Godot made when it imported the original.
func reference(shot: Dictionary) -> MeshInstance3D:
	var materials := {}
	var original: Node = load(shot.original).instantiate()
	for found: MeshInstance3D in original.find_children("*", "MeshInstance3D", true, false):
		for index in found.mesh.get_surface_count():
			var material: Material = found.mesh.surface_get_material(index)
			materials[material.resource_name if material else ""] = material
	original.free()
	var file := FileAccess.open(shot.vertices, FileAccess.READ)
	var mesh := ArrayMesh.new()
	for surface: Dictionary in shot.surfaces:
		var arrays := []
		arrays.resize(Mesh.ARRAY_MAX)
		var count := int(surface.vertices)
		arrays[Mesh.ARRAY_VERTEX] = vectors(file, count)
		arrays[Mesh.ARRAY_NORMAL] = vectors(file, count)
		if surface.tangents:
			arrays[Mesh.ARRAY_TANGENT] = file.get_buffer(count * 16).to_float32_array()
		for uv_set in int(surface.uvs):
			var numbers := file.get_buffer(count * 8).to_float32_array()
			var uvs := PackedVector2Array()
			for index in count:
				uvs.push_back(Vector2(numbers[index * 2], numbers[index * 2 + 1]))
			arrays[[Mesh.ARRAY_TEX_UV, Mesh.ARRAY_TEX_UV2][uv_set]] = uvs
		if surface.colors:
			var numbers := file.get_buffer(count * 16).to_float32_array()
			var colors := PackedColorArray()
			for index in count:
				colors.push_back(Color(numbers[index * 4], numbers[index * 4 + 1], numbers[index * 4 + 2], numbers[index * 4 + 3]))
			arrays[Mesh.ARRAY_COLOR] = colors
		# Triangles are clockwise seen from the front here, and counter-clockwise in glTF.
		var indices := file.get_buffer(int(surface.indices) * 4).to_int32_array()
		for index in range(0, indices.size(), 3):
			var corner := indices[index + 1]
			indices[index + 1] = indices[index + 2]
			indices[index + 2] = corner
		arrays[Mesh.ARRAY_INDEX] = indices
		mesh.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, arrays)
		mesh.surface_set_material(mesh.get_surface_count() - 1, materials.get(surface.material, materials.values()[0] if materials else null))
	var instance := MeshInstance3D.new()
	instance.mesh = mesh
	return instance


func vectors(file: FileAccess, count: int) -> PackedVector3Array:
	var numbers := file.get_buffer(count * 12).to_float32_array()
	var result := PackedVector3Array()
	for index in count:
		result.push_back(Vector3(numbers[index * 3], numbers[index * 3 + 1], numbers[index * 3 + 2]))
	return result


## The original as Godot imports and animates it by itself.
func add_original(shot: Dictionary) -> void:
	for index in int(shot.get("count", 1)):
		var original: Node3D = load(shot.original).instantiate()
		stage.add_child(original)
		var player: AnimationPlayer = original.find_children("*", "AnimationPlayer", true, false)[0]
		player.play(player.get_animation_list()[shot.animation] if shot.animation is float else shot.animation)
		player.seek(shot.time, true)
		if shot.get("count", 1) == 1:
			player.pause()
		else:
			var side := ceili(sqrt(shot.count))
			original.position = Vector3(index % side, 0.0, index / side) * shot.distance


## Draws decoded positions as pixels: each is the four bytes of a float. x is the texel, y is (frame, component, row of a frame).
func draw_columns(shot: Dictionary) -> void:
	var material: ShaderMaterial = load(shot.material).duplicate()
	var code: String = material.shader.code
	var shader := Shader.new()
	shader.code = "shader_type canvas_item;\nrender_mode unshaded, blend_disabled;\n" + without_surface(code) + """
void fragment() {
	int y = int(FRAGCOORD.y);
	int rows = int(VAT_LAYOUT.y);
	int frame = y / (rows * 3);
	int component = y / rows - frame * 3;
	vec2 address = vec2(floor(FRAGCOORD.x), float(y - (y / rows) * rows));
	vec3 value = vat_%s(address, VAT_CLIPS[vat_clip].x + float(frame) * VAT_LAYOUT.y).xyz;
	uint bits = floatBitsToUint(component == 0 ? value.x : component == 1 ? value.y : value.z);
	COLOR = vec4(float(bits & 255u), float((bits >> 8u) & 255u), float((bits >> 16u) & 255u), float(bits >> 24u)) / 255.0;
}
""" % shot.columns
	material.shader = shader
	material.set_shader_parameter("vat_clip", int(shot.clip))
	var canvas := SubViewport.new()
	canvas.size = Vector2i(shot.width, shot.height)
	canvas.transparent_bg = true
	canvas.disable_3d = true
	canvas.render_target_update_mode = SubViewport.UPDATE_ALWAYS
	var rectangle := ColorRect.new()
	rectangle.size = canvas.size
	rectangle.material = material
	canvas.add_child(rectangle)
	add_child(canvas)
	for frame in 3:
		await get_tree().process_frame
	await RenderingServer.frame_post_draw
	var image := canvas.get_texture().get_image()
	image.convert(Image.FORMAT_RGBA8)
	FileAccess.open(shot.out, FileAccess.WRITE).store_buffer(image.get_data())
	canvas.free()


## What comes before the stages of a shader, without what only a spatial one may have.
func without_surface(code: String) -> String:
	var lines := []
	for line in code.split("void vertex()")[0].split("\n"):
		if not line.begins_with("shader_type") and not line.begins_with("render_mode") and not line.begins_with("varying"):
			lines.push_back(line)
	return "\n".join(lines)


func vector(numbers: Array) -> Vector3:
	return Vector3(numbers[0], numbers[1], numbers[2])
