// Stands in for UnityEngine: the members that a package uses, with Unity's names and types, and just as much sense as a test needs.
using System;
using System.Collections.Generic;
using System.Linq;

namespace UnityEngine
{
    public class Object
    {
        public string name;
        public static void DestroyImmediate(Object thing) { }
        public static bool operator ==(Object a, Object b) { return ReferenceEquals(a, b); }
        public static bool operator !=(Object a, Object b) { return !ReferenceEquals(a, b); }
        public override bool Equals(object other) { return ReferenceEquals(this, other); }
        public override int GetHashCode() { return base.GetHashCode(); }
    }

    public class Component : Object
    {
        public GameObject gameObject;
        public T GetComponent<T>() where T : Component { return gameObject.GetComponent<T>(); }
    }

    public class Behaviour : Component { }
    public class MonoBehaviour : Behaviour { }

    public sealed class GameObject : Object
    {
        readonly List<Component> components = new List<Component>();
        public GameObject(string name) { this.name = name; }
        public T GetComponent<T>() where T : Component { return components.OfType<T>().FirstOrDefault(); }
        public T[] GetComponentsInChildren<T>() where T : Component { return components.OfType<T>().ToArray(); }

        public T AddComponent<T>() where T : Component
        {
            var component = (T)Activator.CreateInstance(typeof(T));
            component.gameObject = this;
            components.Add(component);
            return component;
        }
    }

    public class Renderer : Component
    {
        public Material[] sharedMaterials { get; set; }
        public Bounds localBounds { get; set; }
        public void ResetLocalBounds() { localBounds = new Bounds(); }
        public MaterialPropertyBlock Block;
        public void GetPropertyBlock(MaterialPropertyBlock block) { }
        public void SetPropertyBlock(MaterialPropertyBlock block) { Block = block; }
    }

    public class MeshRenderer : Renderer { }
    public class MeshFilter : Component { public Mesh sharedMesh { get; set; } }

    public class Mesh : Object
    {
        public Bounds bounds { get; set; }
        public int subMeshCount { get; set; }
        public bool HasVertexAttribute(Rendering.VertexAttribute attribute) { return true; }
        public Rendering.VertexAttributeFormat GetVertexAttributeFormat(Rendering.VertexAttribute attribute) { return Rendering.VertexAttributeFormat.Float32; }
    }

    public class Shader : Object { public static int PropertyToID(string name) { return name == "_VatPlayback" ? 1 : 2; } }
    public class Texture : Object { }
    public class Texture2D : Texture { }

    public class Material : Object
    {
        public readonly SortedDictionary<string, object> Set = new SortedDictionary<string, object>(StringComparer.Ordinal);
        public readonly SortedSet<string> Keywords = new SortedSet<string>(StringComparer.Ordinal);
        public Material(Shader shader) { this.shader = shader; }
        public Shader shader { get; set; }
        public bool enableInstancing { get; set; }
        public int renderQueue { get; set; }
        public void SetTexture(string name, Texture value) { Set[name] = value.name; }
        public void SetTextureScale(string name, Vector2 value) { Set[name + " scale"] = value; }
        public void SetTextureOffset(string name, Vector2 value) { Set[name + " offset"] = value; }
        public void SetVector(string name, Vector4 value) { Set[name] = value; }
        public void SetFloat(string name, float value) { Set[name] = value; }
        public void SetColor(string name, Color value) { Set[name] = value; }
        public void SetOverrideTag(string tag, string value) { Set[tag] = value; }
        public void EnableKeyword(string keyword) { Keywords.Add(keyword); }
        public void DisableKeyword(string keyword) { Keywords.Remove(keyword); }
    }

    public class MaterialPropertyBlock
    {
        public readonly Dictionary<int, Vector4> Vectors = new Dictionary<int, Vector4>();
        public void SetVector(int id, Vector4 value) { Vectors[id] = value; }
    }

    public struct Vector2
    {
        public float x, y;
        public Vector2(float x, float y) { this.x = x; this.y = y; }
        public override string ToString() { return "(" + x + ", " + y + ")"; }
    }

    public struct Vector3
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
        public override string ToString() { return "(" + x + ", " + y + ", " + z + ")"; }
    }

    public struct Vector4
    {
        public float x, y, z, w;
        public Vector4(float x, float y, float z, float w) { this.x = x; this.y = y; this.z = z; this.w = w; }
        public override string ToString() { return "(" + x + ", " + y + ", " + z + ", " + w + ")"; }
    }

    public struct Color
    {
        public float r, g, b, a;
        public Color(float r, float g, float b, float a) { this.r = r; this.g = g; this.b = b; this.a = a; }
        public override string ToString() { return "(" + r + ", " + g + ", " + b + ", " + a + ")"; }
    }

    public struct Bounds
    {
        public Vector3 center, size;
        public Bounds(Vector3 center, Vector3 size) { this.center = center; this.size = size; }
        public override string ToString() { return center + " " + size; }
    }

    public static class Mathf
    {
        public static float Clamp01(float value) { return Clamp(value, 0f, 1f); }
        public static float Clamp(float value, float min, float max) { return Math.Max(min, Math.Min(max, value)); }
        public static int Clamp(int value, int min, int max) { return Math.Max(min, Math.Min(max, value)); }
        public static float Repeat(float t, float length) { return t - (float)Math.Floor(t / length) * length; }
    }

    public static class Time { public static float deltaTime { get; set; } }
    public static class Application { public static bool isPlaying { get; set; } }
    public static class Debug { public static void LogError(object message) { Console.WriteLine("error: " + message); } }

    public enum FilterMode { Point, Bilinear, Trilinear }
    public enum TextureWrapMode { Repeat, Clamp }

    public class AddComponentMenu : Attribute { public AddComponentMenu(string menu) { } }
    public class ExecuteAlways : Attribute { }
    public class DisallowMultipleComponent : Attribute { }
    public class RequireComponent : Attribute { public RequireComponent(Type type) { } }
    public class SerializeField : Attribute { }
    public class TooltipAttribute : Attribute { public TooltipAttribute(string text) { } }
}

namespace UnityEngine.Rendering
{
    public enum VertexAttribute { Position, Normal, Tangent, Color, TexCoord0 }
    public enum VertexAttributeFormat { Float32, Float16 }
    public enum CullMode { Off, Front, Back }
    public enum BlendMode { Zero, One, DstColor, SrcColor, OneMinusDstColor, SrcAlpha, OneMinusSrcColor, DstAlpha, OneMinusDstAlpha, SrcAlphaSaturate, OneMinusSrcAlpha }
    public enum RenderQueue { Background = 1000, Geometry = 2000, AlphaTest = 2450, Transparent = 3000 }
}
