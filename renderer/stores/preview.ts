import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import { PREVIEW_PORT } from '../../preload/api.ts'
import { vatStudio } from '../vat-studio.ts'
import { createPreviewClient, type PreviewClient, type PreviewPort } from '../viewport/preview-client.ts'

/** The connection to the preview service, which reads models and bakes for the viewport. */
export const usePreviewStore = defineStore('preview', () => {
  const client = shallowRef<PreviewClient | null>(null)
  let connecting: Promise<PreviewClient> | null = null

  /** The client of a living service; asks for one where there is none. */
  function connect(): Promise<PreviewClient> {
    connecting ??= new Promise<PreviewClient>((resolve, reject) => {
      const onPort = (event: MessageEvent) => {
        if (event.source !== window || event.data !== PREVIEW_PORT || !event.ports[0]) return
        window.removeEventListener('message', onPort)
        client.value = createPreviewClient(event.ports[0] as PreviewPort)
        resolve(client.value)
      }
      window.addEventListener('message', onPort)
      vatStudio().preview.connect().catch((error: unknown) => {
        window.removeEventListener('message', onPort)
        connecting = null
        reject(error instanceof Error ? error : new Error(String(error)))
      })
    })
    return connecting
  }

  /** The service has ended: what it held is forgotten, and the next `connect` starts another. */
  function lost(): void {
    client.value?.abandon()
    client.value = null
    connecting = null
  }

  return { client, connect, lost }
})
