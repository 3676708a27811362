// Decodes a bake of VAT Studio, version 1 of its format. Plain functions of numbers: how a texel is fetched
// (textureLoad, no filter) and how a vertex is moved is up to the engine.

// The two bytes that stand for a number of 16 bits (type unorm8x2).
fn vat_join(high: vec4f, low: vec4f) -> vec4f {
	return (floor(high * 255.0 + 0.5) * 256.0 + floor(low * 255.0 + 0.5)) / 65535.0;
}

// Octahedral coordinates to a direction, not yet of length 1.
fn vat_unfold(folded: vec2f) -> vec3f {
	let z = 1.0 - abs(folded.x) - abs(folded.y);
	let signs = select(vec2f(1.0), vec2f(-1.0), folded < vec2f(0.0));
	return vec3f(select(folded, (1.0 - abs(folded.yx)) * signs, z < 0.0), z);
}

// Octahedral coordinates that share one value (octahedral8: 256 steps, octahedral12: 4096). Numbers from 2^23 on have no
// halves: a half more would be rounded to the next one.
fn vat_unpack(value: f32, steps: f32) -> vec2f {
	let code = floor(value + 0.25);
	let first = floor(code / steps);
	return vec2f(first, code - first * steps) / (steps * 0.5 - 1.0) - 1.0;
}

// Where a vertex has its texel inside a frame: (x, r). The layout holds columnsPerRow and rowsPerFrame.
fn vat_address(index_uv: vec2f, layout_size: vec2f) -> vec2f {
	return floor(index_uv * layout_size);
}

// The two frames that are shown at a time, and how much of the second one: (first, second, blend).
fn vat_frames(seconds: f32, frame_count: f32, fps: f32, loops: bool) -> vec3f {
	let last_frame = frame_count - 1.0;
	let moment = seconds * fps;
	if (loops) {
		let round = moment - frame_count * floor(moment / frame_count);
		let first = min(floor(round), last_frame);
		return vec3f(first, select(0.0, first + 1.0, first < last_frame), clamp(round - first, 0.0, 1.0));
	}
	let held = clamp(moment, 0.0, last_frame);
	return vec3f(floor(held), min(floor(held) + 1.0, last_frame), held - floor(held));
}
