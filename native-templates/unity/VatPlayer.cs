// Plays the clips of "{{name}}", a vertex animation texture made by VAT Studio. Generated.
using System;
using UnityEngine;

namespace VatStudio
{
    [AddComponentMenu("VAT Studio/{{class}}")]
    [ExecuteAlways]
    [DisallowMultipleComponent]
    [RequireComponent(typeof(MeshRenderer))]
    public sealed class {{class}} : MonoBehaviour
    {
        [Serializable]
        public struct Clip
        {
            public readonly string Name;
            public readonly float Seconds;
            public readonly bool Loops;

            public Clip(string name, float seconds, bool loops)
            {
                Name = name;
                Seconds = seconds;
                Loops = loops;
            }
        }

        public static readonly Clip[] Clips =
        {
{{clips}}
        };

        /// <summary>Box around every vertex in every frame of every clip, in the space of the mesh.</summary>
        public static readonly Bounds AllFrames = new Bounds(new Vector3({{center}}), new Vector3({{size}}));

        static readonly int PlaybackId = Shader.PropertyToID("_VatPlayback");
        static readonly int FadeId = Shader.PropertyToID("_VatFade");

        [Tooltip("The clip that is shown, as counted in Clips.")]
        [SerializeField] int clip = 0;
        [Tooltip("How fast time goes; 0 stands still, -1 goes back.")]
        [SerializeField] float speed = 1f;
        [Tooltip("Seconds of the clip at which it begins.")]
        [SerializeField] float phase = 0f;
        [SerializeField] bool playOnAwake = true;

        MaterialPropertyBlock block;
        MeshRenderer meshRenderer;
        bool isPlaying;
        float seconds;
        int nextClip;
        float nextSeconds;
        float fadeSeconds;
        float fadePassed;

        /// <summary>A clip that does not loop has come to its end, and is held there.</summary>
        public event Action<Clip> Finished;

        public bool IsPlaying { get { return isPlaying; } }

        /// <summary>Seconds in the clip.</summary>
        public float Time { get { return seconds; } set { seconds = value; Show(); } }

        public float Speed { get { return speed; } set { speed = value; } }

        /// <summary>The clip that is shown, or that is being faded to.</summary>
        public Clip Current { get { return Clips[fadeSeconds > 0f ? nextClip : clip]; } }

        /// <summary>Plays a clip from its beginning, and fades to it from what is shown within some seconds.</summary>
        public void Play(string name, float fade = 0f)
        {
            int index = Array.FindIndex(Clips, other => other.Name == name);
            if (index < 0) throw new ArgumentException("There is no clip \"" + name + "\".", "name");
            Play(index, fade);
        }

        /// <summary>The same by the number of the clip.</summary>
        public void Play(int index, float fade = 0f)
        {
            if (index < 0 || index >= Clips.Length) throw new ArgumentOutOfRangeException("index");
            if (fade > 0f)
            {
                nextClip = index;
                nextSeconds = phase;
                fadeSeconds = fade;
                fadePassed = 0f;
            }
            else
            {
                clip = index;
                seconds = phase;
                fadeSeconds = 0f;
            }
            isPlaying = true;
            Show();
        }

        public void Stop()
        {
            isPlaying = false;
        }

        public void Resume()
        {
            isPlaying = true;
        }

        void OnEnable()
        {
            meshRenderer = GetComponent<MeshRenderer>();
            // Else it would be left out wherever the mesh at rest is out of sight.
            meshRenderer.localBounds = AllFrames;
            if (!Application.isPlaying) return;
            clip = Mathf.Clamp(clip, 0, Clips.Length - 1);
            seconds = phase;
            isPlaying = playOnAwake;
            Show();
        }

        void OnDisable()
        {
            if (meshRenderer == null) return;
            meshRenderer.ResetLocalBounds();
            meshRenderer.SetPropertyBlock(null);
        }

        void Update()
        {
            if (!Application.isPlaying || !isPlaying) return;
            float step = UnityEngine.Time.deltaTime * speed;
            bool isFading = fadeSeconds > 0f;
            bool hasEnded = Advance(clip, ref seconds, step);
            if (isFading)
            {
                hasEnded = Advance(nextClip, ref nextSeconds, step);
                fadePassed += UnityEngine.Time.deltaTime;
                if (fadePassed >= fadeSeconds)
                {
                    clip = nextClip;
                    seconds = nextSeconds;
                    fadeSeconds = 0f;
                }
            }
            Show();
            if (!hasEnded) return;
            isPlaying = fadeSeconds > 0f;
            if (!isPlaying && Finished != null) Finished(Clips[clip]);
        }

        /// <summary>Lets time go on in a clip; answers whether it has come to an end that it does not go beyond.</summary>
        static bool Advance(int index, ref float at, float step)
        {
            Clip moving = Clips[index];
            at += step;
            if (moving.Loops)
            {
                // Kept small: a large number would lose its fractions.
                if (moving.Seconds > 0f) at = Mathf.Repeat(at, moving.Seconds);
                return false;
            }
            bool hasEnded = step > 0f ? at >= moving.Seconds : step < 0f && at <= 0f;
            at = Mathf.Clamp(at, 0f, moving.Seconds);
            return hasEnded;
        }

        void Show()
        {
            if (meshRenderer == null) return;
            if (block == null) block = new MaterialPropertyBlock();
            float fade = fadeSeconds > 0f ? Mathf.Clamp01(fadePassed / fadeSeconds) : 0f;
            meshRenderer.GetPropertyBlock(block);
            block.SetVector(PlaybackId, new Vector4(clip, seconds, 0f, 0f));
            block.SetVector(FadeId, new Vector4(nextClip, nextSeconds, fade, 1f));
            meshRenderer.SetPropertyBlock(block);
        }
    }
}
