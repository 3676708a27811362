// As much of HLSL as a bake's shaders use, so that a compiler of C++ makes a program for the processor of their very source.
// Numbers are doubles: what is tested is the arithmetic, not its rounding.
#include <cmath>
#include <cstdio>
#include <vector>

struct float2;
struct float3;
struct float4;
template <int N> struct Of;
template <> struct Of<2> { using type = float2; };
template <> struct Of<3> { using type = float3; };
template <> struct Of<4> { using type = float4; };

// Some components of a vector, in some order: `.yx`, `.rgb`.
template <int Size, int... At> struct Swizzle {
	double parts[Size];
	using Vector = typename Of<sizeof...(At)>::type;
	operator Vector() const;
	Swizzle &operator=(const Vector &from);
};

struct float2 {
	union { struct { double x, y; }; struct { double r, g; }; double parts[2]; Swizzle<2, 0, 1> xy; Swizzle<2, 0, 1> rg; Swizzle<2, 1, 0> yx; };
	float2(double all = 0) : x(all), y(all) {}
	float2(double x, double y) : x(x), y(y) {}
	float2(const float2 &from) : x(from.x), y(from.y) {}
	float2 &operator=(const float2 &from) { x = from.x; y = from.y; return *this; }
};
struct float3 {
	union {
		struct { double x, y, z; }; struct { double r, g, b; }; double parts[3];
		Swizzle<3, 0, 1> xy; Swizzle<3, 0, 1> rg; Swizzle<3, 0, 1, 2> xyz; Swizzle<3, 0, 1, 2> rgb;
	};
	float3(double all = 0) : x(all), y(all), z(all) {}
	float3(double x, double y, double z) : x(x), y(y), z(z) {}
	float3(const float2 &xy, double z) : x(xy.x), y(xy.y), z(z) {}
	float3(const float3 &from) : x(from.x), y(from.y), z(from.z) {}
	float3 &operator=(const float3 &from) { x = from.x; y = from.y; z = from.z; return *this; }
};
struct float4 {
	union {
		struct { double x, y, z, w; }; struct { double r, g, b, a; }; double parts[4];
		Swizzle<4, 0, 1> xy; Swizzle<4, 0, 1> rg; Swizzle<4, 2, 3> zw; Swizzle<4, 2, 3> ba;
		Swizzle<4, 0, 1, 2> xyz; Swizzle<4, 0, 1, 2> rgb; Swizzle<4, 0, 1, 2, 3> xyzw; Swizzle<4, 0, 1, 2, 3> rgba;
	};
	float4(double all = 0) : x(all), y(all), z(all), w(all) {}
	float4(double x, double y, double z, double w) : x(x), y(y), z(z), w(w) {}
	float4(const float3 &xyz, double w) : x(xyz.x), y(xyz.y), z(xyz.z), w(w) {}
	float4(const float4 &from) : x(from.x), y(from.y), z(from.z), w(from.w) {}
	float4 &operator=(const float4 &from) { x = from.x; y = from.y; z = from.z; w = from.w; return *this; }
};

template <int Size, int... At> Swizzle<Size, At...>::operator Vector() const { return Vector(parts[At]...); }
template <int Size, int... At> Swizzle<Size, At...> &Swizzle<Size, At...>::operator=(const Vector &from) {
	int at = 0;
	const Vector copy(from);
	((parts[At] = copy.parts[at++]), ...);
	return *this;
}

#define EACH(V, N, NAME, EXPRESSION) inline V NAME(const V &a) { V c; for (int i = 0; i < N; i++) { double x = a.parts[i]; c.parts[i] = EXPRESSION; } return c; }
#define BOTH(V, N, OP) \
	inline V operator OP(const V &a, const V &b) { V c; for (int i = 0; i < N; i++) c.parts[i] = a.parts[i] OP b.parts[i]; return c; } \
	inline V operator OP(const V &a, double b) { return a OP V(b); } \
	inline V operator OP(double a, const V &b) { return V(a) OP b; }
#define VECTOR(V, N) \
	BOTH(V, N, +) BOTH(V, N, -) BOTH(V, N, *) BOTH(V, N, /) \
	EACH(V, N, operator-, -x) EACH(V, N, floor, std::floor(x)) EACH(V, N, absolute, std::fabs(x)) \
	inline V &operator+=(V &a, const V &b) { return a = a + b; } \
	inline double dot(const V &a, const V &b) { double sum = 0; for (int i = 0; i < N; i++) sum += a.parts[i] * b.parts[i]; return sum; } \
	inline double length(const V &a) { return std::sqrt(dot(a, a)); } \
	inline V normalize(const V &a) { return a / length(a); } \
	inline V lerp(const V &a, const V &b, double t) { return a + (b - a) * t; }
VECTOR(float2, 2)
VECTOR(float3, 3)
VECTOR(float4, 4)

inline float3 cross(const float3 &a, const float3 &b) { return float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
// C has one of its own, for whole numbers.
inline double absolute(double x) { return std::fabs(x); }
#define abs absolute
inline double lerp(double a, double b, double t) { return a + (b - a) * t; }
inline double min(double a, double b) { return a < b ? a : b; }
inline double max(double a, double b) { return a > b ? a : b; }
inline int clamp(int x, int a, int b) { return x < a ? a : x > b ? b : x; }
inline double clamp(double x, double a, double b) { return x < a ? a : x > b ? b : x; }
inline double saturate(double x) { return clamp(x, 0.0, 1.0); }

struct int2 {
	struct Exchanged {
		int y, x;
		operator int2() const;
	};
	union { struct { int x, y; }; Exchanged yx; };
	int2(int x, int y) : x(x), y(y) {}
	int2(const float2 &from) : x(int(from.x)), y(int(from.y)) {}
};
inline int2::Exchanged::operator int2() const { return int2(x, y); }
inline int2 operator+(const int2 &a, const int2 &b) { return int2(a.x + b.x, a.y + b.y); }
struct int3 {
	int x, y, z;
	int3(int x, int y, int z) : x(x), y(y), z(z) {}
	int3(const int2 &xy, int z) : x(xy.x), y(xy.y), z(z) {}
};

// A texture from a file of 32-bit floats, four a texel, the first row first.
struct Texels {
	int width = 0, height = 0;
	std::vector<float> values;
	bool read(const char *file, int w, int h) {
		width = w;
		height = h;
		values.resize(size_t(w) * h * 4);
		FILE *stream = fopen(file, "rb");
		const bool whole = stream && fread(values.data(), sizeof(float), values.size(), stream) == values.size();
		if (stream) fclose(stream);
		return whole;
	}
};
struct Texture2D {
	const Texels *texels = nullptr;
	// Outside of an image there is nothing, as on a graphics card.
	float4 Load(const int3 &at) const {
		if (at.x < 0 || at.y < 0 || at.x >= texels->width || at.y >= texels->height) return float4(NAN);
		const float *texel = &texels->values[(size_t(at.y) * texels->width + at.x) * 4];
		return float4(texel[0], texel[1], texel[2], texel[3]);
	}
};

#define float double
