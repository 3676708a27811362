// Decodes a bake of VAT Studio, version 1 of its format. Plain functions of numbers: how a texel is fetched
// (texelFetch, no filter) and how a vertex is moved is up to the engine.

// The two bytes that stand for a number of 16 bits (type unorm8x2).
vec4 vat_join(vec4 high, vec4 low) {
	return (floor(high * 255.0 + 0.5) * 256.0 + floor(low * 255.0 + 0.5)) / 65535.0;
}

// Octahedral coordinates to a direction, not yet of length 1.
vec3 vat_unfold(vec2 folded) {
	vec3 direction = vec3(folded, 1.0 - abs(folded.x) - abs(folded.y));
	if (direction.z < 0.0) {
		vec2 signs = vec2(folded.x < 0.0 ? -1.0 : 1.0, folded.y < 0.0 ? -1.0 : 1.0);
		direction.xy = (1.0 - abs(folded.yx)) * signs;
	}
	return direction;
}

// Octahedral coordinates that share one value (octahedral8: 256 steps, octahedral12: 4096). Numbers from 2^23 on have no
// halves: a half more would be rounded to the next one.
vec2 vat_unpack(float value, float steps) {
	float code = floor(value + 0.25);
	float first = floor(code / steps);
	return vec2(first, code - first * steps) / (steps * 0.5 - 1.0) - 1.0;
}

// Where a vertex has its texel inside a frame: (x, r). The layout holds columnsPerRow and rowsPerFrame.
vec2 vat_address(vec2 index_uv, vec2 layout_size) {
	return floor(index_uv * layout_size);
}

// The two frames that are shown at a time, and how much of the second one: (first, second, blend).
vec3 vat_frames(float seconds, float frame_count, float fps, bool loops) {
	float last_frame = frame_count - 1.0;
	float moment = seconds * fps;
	if (loops) {
		moment = moment - frame_count * floor(moment / frame_count);
		float first = min(floor(moment), last_frame);
		return vec3(first, first < last_frame ? first + 1.0 : 0.0, clamp(moment - first, 0.0, 1.0));
	}
	moment = clamp(moment, 0.0, last_frame);
	float held = floor(moment);
	return vec3(held, min(held + 1.0, last_frame), moment - held);
}
