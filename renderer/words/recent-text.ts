const DAY = 86_400_000

/** When a model was opened: `today 14:02`, `yesterday`, `27 Nov`. */
export function openedText(openedAt: number, now: number): string {
  const date = new Date(openedAt)
  const midnight = new Date(now).setHours(0, 0, 0, 0)
  if (openedAt >= midnight) return `today ${date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })}`
  if (openedAt >= midnight - DAY) return 'yesterday'
  const sameYear = date.getFullYear() === new Date(now).getFullYear()
  return date.toLocaleDateString(undefined, { day: 'numeric', month: 'short', ...(sameYear ? {} : { year: 'numeric' }) })
}

/** What each sample is there to show. */
const samples: Record<string, string> = {
  'Fox.glb': 'skin, 3 clips, 1,728 vertices',
  'RobotExpressive.glb': 'skin and morphs, 14 clips',
  'SimpleSkin.gltf': '2 joints, 10 vertices',
  'AnimatedMorphCube.glb': 'morph targets only',
}

export function sampleText(name: string): string {
  return samples[name] ?? ''
}
