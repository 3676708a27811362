import type { RecentFile } from '../../../preload/api.ts'

const at = (days: number) => Date.now() - days * 86_400_000

function recent(name: string, folder: string, days: number, more: Partial<RecentFile> = {}): RecentFile {
  return { token: `recent:${name}`, kind: 'model', name, path: `${folder}/${name}`, openedAt: at(days), pinned: false, missing: false, ...more }
}

export const RECENTS: RecentFile[] = [
  recent('Fox.glb', '/home/mira/Projects/meadow/characters', 0, { pinned: true }),
  recent('Robot_hero.glb', '/home/mira/Projects/arcade/props', 1, { pinned: true }),
  recent('Lumberjack.gltf', '/home/mira/Projects/camp/npc', 1),
  recent('Robot_background_crowd_LOD1_final_final_v2_with_a_very_long_name.glb', '/home/mira/Projects/arcade/crowd/background/variants/and/deeper', 3),
  recent('Samba_dancer.glb', '/home/mira/Projects/festival', 4),
  recent('Fox_idle.glb', '/home/mira/Projects/meadow/characters', 6),
  recent('Flag_cloth.glb', '/home/mira/Projects/harbour/cache', 9),
  recent('Jellyfish.glb', '/home/mira/Projects/reef', 40, { missing: true }),
]
