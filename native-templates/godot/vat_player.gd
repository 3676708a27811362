extends Node3D
## Plays "{{name}}", baked by VAT Studio. Without a call of play() the material plays by itself, from the engine's time.

## Name, seconds, and whether it repeats, of each clip.
const CLIPS: Array[Dictionary] = [
{{clips}}
]

## The clip that is shown.
@export_range(0, {{last_clip}}) var clip := 0:
	set(value):
		clip = value
		_give("vat_clip", value)

## How fast it is played; 0 holds it.
@export var speed := 1.0:
	set(value):
		speed = value
		_give("vat_speed", value)

## Seconds that it is ahead, so that many do not move alike.
@export var phase := 0.0:
	set(value):
		phase = value
		_give("vat_phase", value)

signal finished(clip: int)

var _seconds := 0.0
var _next := -1
var _next_seconds := 0.0
var _fade := 0.0
var _fade_seconds := 0.0
var _ended := false


func _ready() -> void:
	set_process(false)
	clip = clip
	speed = speed
	phase = phase


## Plays a clip, by its name or number, from its beginning. With fade_seconds it takes over from the present one little by little.
func play(which: Variant, fade_seconds := 0.0) -> void:
	var index := find_clip(which)
	if index < 0:
		push_error("There is no clip %s." % which)
		return
	set_process(true)
	_ended = false
	if fade_seconds > 0.0:
		_next = index
		_next_seconds = 0.0
		_fade = 0.0
		_fade_seconds = fade_seconds
		_give("vat_next", index)
		# What the engine's time plays until now goes on with it while it fades.
		_give("vat_next_manual", true)
	else:
		_next = -1
		_seconds = 0.0
		clip = index
		_give("vat_manual", true)
	_show()


## Number of the clip of that name or number, or -1.
func find_clip(which: Variant) -> int:
	for index in CLIPS.size():
		if which is String and CLIPS[index].name == which or which is int and index == which:
			return index
	return -1


func _process(delta: float) -> void:
	_seconds += delta * speed
	if _next >= 0:
		_next_seconds += delta * speed
		_fade += delta / _fade_seconds
		if _fade >= 1.0:
			clip = _next
			_seconds = _next_seconds
			_next = -1
			_give("vat_manual", true)
	_show()
	if _next < 0 and not _ended and not CLIPS[clip].loops and _seconds >= CLIPS[clip].duration:
		_ended = true
		finished.emit(clip)


func _show() -> void:
	_give("vat_time", _seconds)
	_give("vat_next_time", _next_seconds)
	_give("vat_fade", clampf(_fade, 0.0, 1.0) if _next >= 0 else 0.0)


func _give(parameter: StringName, value: Variant) -> void:
	if not has_node("Model/Mesh"):
		return
	var mesh: MeshInstance3D = $Model/Mesh
	for index in mesh.get_surface_override_material_count():
		(mesh.get_surface_override_material(index) as ShaderMaterial).set_shader_parameter(parameter, value)
