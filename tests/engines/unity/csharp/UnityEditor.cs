// Stands in for UnityEditor: importers that keep what is set, and assets that are there by their paths.
using System;
using System.Collections.Generic;
using UnityEngine;

namespace UnityEditor
{
    public class AssetPostprocessor
    {
        public string assetPath { get; set; }
        public AssetImporter assetImporter { get; set; }
    }

    public class AssetImporter : UnityEngine.Object { }

    public enum TextureImporterType { Default, NormalMap }
    public enum TextureImporterNPOTScale { None, ToNearest }
    public enum TextureImporterAlphaSource { None, FromInput, FromGrayScale }
    public enum TextureImporterCompression { Uncompressed, Compressed }
    public enum TextureImporterFormat { Automatic = -1, RGBA32 = 4, RGBAHalf = 17, RGBAFloat = 20, RGBA64 = 74 }

    public sealed class TextureImporterPlatformSettings
    {
        public string name { get; set; }
        public bool overridden { get; set; }
        public int maxTextureSize { get; set; }
        public TextureImporterFormat format { get; set; }
        public TextureImporterCompression textureCompression { get; set; }
        public bool crunchedCompression { get; set; }
    }

    /// <summary>With what Unity gives to a texture that it knows nothing of.</summary>
    public sealed class TextureImporter : AssetImporter
    {
        readonly Dictionary<string, TextureImporterPlatformSettings> platforms = new Dictionary<string, TextureImporterPlatformSettings>();

        public TextureImporter()
        {
            sRGBTexture = mipmapEnabled = true;
            filterMode = FilterMode.Bilinear;
            npotScale = TextureImporterNPOTScale.ToNearest;
        }

        public TextureImporterType textureType { get; set; }
        public bool sRGBTexture { get; set; }
        public bool mipmapEnabled { get; set; }
        public bool streamingMipmaps { get; set; }
        public FilterMode filterMode { get; set; }
        public TextureWrapMode wrapMode { get; set; }
        public TextureImporterNPOTScale npotScale { get; set; }
        public TextureImporterAlphaSource alphaSource { get; set; }
        public bool alphaIsTransparency { get; set; }

        public TextureImporterPlatformSettings GetDefaultPlatformTextureSettings() { return GetPlatformTextureSettings("DefaultTexturePlatform"); }

        public TextureImporterPlatformSettings GetPlatformTextureSettings(string platform)
        {
            if (platforms.ContainsKey(platform)) return platforms[platform];
            return new TextureImporterPlatformSettings
            {
                name = platform, maxTextureSize = 2048, format = TextureImporterFormat.Automatic, textureCompression = TextureImporterCompression.Compressed,
            };
        }

        public void SetPlatformTextureSettings(TextureImporterPlatformSettings settings) { platforms[settings.name] = settings; }
    }

    public enum ModelImporterMeshCompression { Off, Low, Medium, High }
    public enum ModelImporterNormals { Import, Calculate, None }
    public enum ModelImporterTangents { Import, CalculateLegacy, None, CalculateMikk, CalculateLegacyWithSplitTangents }
    public enum ModelImporterAnimationType { None, Legacy, Generic, Human }
    public enum ModelImporterMaterialImportMode { None, ImportStandard, ImportViaMaterialDescription }
    [Flags] public enum MeshOptimizationFlags { PolygonOrder = 1, VertexOrder = 2, Everything = -1 }

    /// <summary>With what Unity gives to a model that it knows nothing of.</summary>
    public sealed class ModelImporter : AssetImporter
    {
        public ModelImporter()
        {
            globalScale = 1f;
            useFileScale = importBlendShapes = importAnimation = weldVertices = true;
            meshOptimizationFlags = MeshOptimizationFlags.Everything;
            importTangents = ModelImporterTangents.CalculateMikk;
            animationType = ModelImporterAnimationType.Generic;
            materialImportMode = ModelImporterMaterialImportMode.ImportViaMaterialDescription;
        }

        public float globalScale { get; set; }
        public bool useFileScale { get; set; }
        public bool bakeAxisConversion { get; set; }
        public bool isReadable { get; set; }
        public ModelImporterMeshCompression meshCompression { get; set; }
        public MeshOptimizationFlags meshOptimizationFlags { get; set; }
        public bool weldVertices { get; set; }
        public bool keepQuads { get; set; }
        public bool swapUVChannels { get; set; }
        public bool generateSecondaryUV { get; set; }
        public ModelImporterNormals importNormals { get; set; }
        public ModelImporterTangents importTangents { get; set; }
        public bool importBlendShapes { get; set; }
        public bool importAnimation { get; set; }
        public ModelImporterAnimationType animationType { get; set; }
        public ModelImporterMaterialImportMode materialImportMode { get; set; }
    }

    public enum ImportAssetOptions { Default = 0, ForceUpdate = 1 }

    public static class AssetDatabase
    {
        public static readonly Dictionary<string, UnityEngine.Object> Assets = new Dictionary<string, UnityEngine.Object>();

        public static T LoadAssetAtPath<T>(string path) where T : UnityEngine.Object
        {
            UnityEngine.Object asset;
            return Assets.TryGetValue(path, out asset) ? asset as T : null;
        }

        public static UnityEngine.Object[] LoadAllAssetsAtPath(string path) { return new[] { LoadAssetAtPath<UnityEngine.Object>(path) }; }
        public static void CreateAsset(UnityEngine.Object asset, string path) { Assets[path] = asset; }
        public static void ImportAsset(string path, ImportAssetOptions options) { }
        public static void SaveAssets() { }
    }

    public static class PrefabUtility
    {
        public static GameObject LoadPrefabContents(string path) { return AssetDatabase.LoadAssetAtPath<GameObject>(path); }
        public static void UnloadPrefabContents(GameObject root) { }
        public static GameObject SaveAsPrefabAsset(GameObject root, string path) { AssetDatabase.Assets[path] = root; return root; }
    }

    public static class EditorUtility { public static void SetDirty(UnityEngine.Object thing) { } }

    public static class EditorApplication
    {
        public delegate void CallbackFunction();
        public static CallbackFunction delayCall;
    }

    public class InitializeOnLoadMethodAttribute : Attribute { }
}

namespace UnityEditor.Compilation
{
    public static class CompilationPipeline
    {
        public static string GetAssemblyDefinitionFilePathFromAssemblyName(string name) { return "Assets/VAT/Made/Made.asmdef"; }
    }
}
