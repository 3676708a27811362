import {
  Axis3d, Bone, Box, Boxes, Check, ChevronRight, ChevronsUpDown, CircleAlert, CircleCheck, CircleDashed, CircleHelp, CircleStop,
  CircleX, Columns2, Command, Copy, Crosshair, Download, Ellipsis, FileBox, FileX, Film, FolderOpen, Gauge, Grid3x3, Hexagon,
  House, Info, Layers2, Maximize, Pause, Pin, Play, RefreshCw, Repeat, RotateCcw, Search, Settings, ShieldCheck, SkipBack,
  SkipForward, SquareDashed, SquareSplitHorizontal, StepBack, StepForward, Terminal, TriangleAlert, Undo2, X,
} from '@lucide/vue'
import type { Component } from 'vue'
import VatIcon from './VatIcon.vue'

/** Lucide's icons by the names they have there, and our own. */
export const icons = {
  'axis-3d': Axis3d, bone: Bone, box: Box, boxes: Boxes, check: Check, 'chevron-right': ChevronRight,
  'chevrons-up-down': ChevronsUpDown, 'circle-alert': CircleAlert, 'circle-check': CircleCheck, 'circle-dashed': CircleDashed,
  'circle-help': CircleHelp, 'circle-stop': CircleStop, 'circle-x': CircleX, 'columns-2': Columns2, command: Command, copy: Copy,
  crosshair: Crosshair, download: Download, ellipsis: Ellipsis, 'file-box': FileBox, 'file-x': FileX, film: Film,
  'folder-open': FolderOpen, gauge: Gauge, 'grid-3x3': Grid3x3, hexagon: Hexagon, house: House, info: Info, 'layers-2': Layers2,
  maximize: Maximize, pause: Pause, pin: Pin, play: Play, 'refresh-cw': RefreshCw, repeat: Repeat, 'rotate-ccw': RotateCcw,
  search: Search, settings: Settings, 'shield-check': ShieldCheck, 'skip-back': SkipBack, 'skip-forward': SkipForward,
  'square-dashed': SquareDashed, 'square-split-horizontal': SquareSplitHorizontal, 'step-back': StepBack,
  'step-forward': StepForward, terminal: Terminal, 'triangle-alert': TriangleAlert, 'undo-2': Undo2, vat: VatIcon, x: X,
} satisfies Record<string, Component>

export type IconName = keyof typeof icons

/** Shapes that read better as areas. */
export const filledIcons: ReadonlySet<IconName> = new Set(['play', 'pause', 'skip-back', 'skip-forward', 'step-back', 'step-forward', 'pin'])
