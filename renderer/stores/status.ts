import { defineStore } from 'pinia'
import { ref } from 'vue'

export type StatusKind = 'good' | 'bad' | 'plain'

/** The line at the bottom of the window: what happened last. */
export const useStatusStore = defineStore('status', () => {
  const text = ref('Ready')
  const kind = ref<StatusKind>('plain')

  function say(sentence: string, of: StatusKind = 'plain'): void {
    text.value = sentence
    kind.value = of
  }

  return { text, kind, say }
})
