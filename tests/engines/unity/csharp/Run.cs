// Drives the scripts of a package as Unity would, and prints what comes of it, line by line.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Threading;
using UnityEditor;
using UnityEngine;

public static class Run
{
    const string Folder = "Assets/VAT/Made/";
    const BindingFlags Any = BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic;

    public static void Main()
    {
        Thread.CurrentThread.CurrentCulture = CultureInfo.InvariantCulture;
        Assembly assembly = typeof(Run).Assembly;
        Type importer = assembly.GetTypes().Single(type => typeof(AssetPostprocessor).IsAssignableFrom(type) && type.Namespace == "VatStudio");
        Type player = assembly.GetTypes().Single(type => typeof(MonoBehaviour).IsAssignableFrom(type) && type.Namespace == "VatStudio");
        Settings(importer);
        Assets(importer);
        Playback(player);
    }

    static void Settings(Type importer)
    {
        foreach (object image in (Array)importer.GetField("Images").GetValue(null))
        {
            var file = (string)image.GetType().GetField("File").GetValue(image);
            var texture = new TextureImporter();
            Import(importer, "OnPreprocessTexture", file, texture);
            Print("texture " + file, texture);
            foreach (string platform in new[] { "DefaultTexturePlatform", "Standalone", "Android", "iPhone", "WebGL", "Server" })
                Print("platform " + file, texture.GetPlatformTextureSettings(platform));
            object changed = importer.GetMethods().Single(method => method.Name == "Correct" && method.GetParameters().Length == 2).Invoke(null, new[] { texture, image });
            Console.WriteLine("again " + file + " " + changed);
        }
        var mesh = (string)importer.GetField("MeshFile", Any).GetValue(null);
        var model = new ModelImporter();
        Import(importer, "OnPreprocessModel", mesh, model);
        Print("model", model);
        var other = new TextureImporter();
        Import(importer, "OnPreprocessTexture", "other.png", other);
        Console.WriteLine("other sRGB " + other.sRGBTexture);
    }

    static void Import(Type type, string method, string file, AssetImporter importer)
    {
        var processor = (AssetPostprocessor)Activator.CreateInstance(type);
        processor.assetPath = Folder + file;
        processor.assetImporter = importer;
        type.GetMethod(method, Any).Invoke(processor, null);
    }

    static void Assets(Type importer)
    {
        Func<string, string> constant = name => (string)importer.GetField(name, Any).GetValue(null);
        importer.GetMethod("Build", Any).Invoke(null, null);
        foreach (object image in (Array)importer.GetField("Images").GetValue(null))
        {
            var file = (string)image.GetType().GetField("File").GetValue(image);
            AssetDatabase.Assets[Folder + file] = new Texture2D { name = file };
        }
        int surfaces = ((Array)importer.GetField("Surfaces").GetValue(null)).Length;
        AssetDatabase.Assets[Folder + constant("MeshFile")] = new Mesh { subMeshCount = surfaces };
        AssetDatabase.Assets[Folder + constant("ShaderFile")] = new Shader();
        importer.GetMethod("OnPostprocessAllAssets", Any).Invoke(null, new object[] { new[] { Folder + constant("Sidecar") }, null, null, null });
        EditorApplication.delayCall();
        foreach (var asset in AssetDatabase.Assets.Where(asset => asset.Value is Material).OrderBy(asset => asset.Key, StringComparer.Ordinal))
        {
            var material = (Material)asset.Value;
            Console.WriteLine("material " + asset.Key + " queue " + material.renderQueue + " instancing " + material.enableInstancing);
            Console.WriteLine("keywords " + string.Join(" ", material.Keywords));
            foreach (var set in material.Set) Console.WriteLine("set " + set.Key + " = " + set.Value);
        }
        var prefab = AssetDatabase.LoadAssetAtPath<GameObject>(Folder + constant("PrefabFile"));
        Console.WriteLine("prefab " + prefab.name + " " + prefab.GetComponent<MeshRenderer>().sharedMaterials.Length);
    }

    static void Playback(Type type)
    {
        Application.isPlaying = true;
        var root = new GameObject("played");
        var renderer = root.AddComponent<MeshRenderer>();
        object player = typeof(GameObject).GetMethod("AddComponent").MakeGenericMethod(type).Invoke(root, null);
        Action<string> send = name => type.GetMethod(name, Any).Invoke(player, null);
        Action<string> show = moment => Console.WriteLine(moment + " " + renderer.Block.Vectors[1] + " " + renderer.Block.Vectors[2]);
        Action<Delegate> listen = action => type.GetEvent("Finished").AddEventHandler(player, action);
        Type clip = type.GetNestedType("Clip");
        listen(Delegate.CreateDelegate(typeof(Action<>).MakeGenericType(clip), typeof(Run).GetMethod("OnFinished").MakeGenericMethod(clip)));
        send("OnEnable");
        Console.WriteLine("bounds " + renderer.localBounds);
        show("awake");
        UnityEngine.Time.deltaTime = 0.25f;
        send("Update");
        show("after a quarter");
        type.GetMethod("Play", new[] { typeof(int), typeof(float) }).Invoke(player, new object[] { 1, 0.5f });
        send("Update");
        show("half way through a fade");
        send("Update");
        show("after the fade");
        for (int i = 0; i < 40; i++) send("Update");
        show("after ten seconds");
    }

    public static void OnFinished<T>(T clip)
    {
        Console.WriteLine("finished");
    }

    static void Print(string what, object thing)
    {
        IEnumerable<string> values = thing.GetType().GetProperties().OrderBy(property => property.Name, StringComparer.Ordinal).Select(property => property.Name + "=" + property.GetValue(thing, null));
        Console.WriteLine(what + ": " + string.Join(" ", values));
    }
}
