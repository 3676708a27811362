import { createPinia } from 'pinia'
import { type App, createApp } from 'vue'
import { config } from 'zod'
import AppWindow from './App.vue'
import { showModel } from './commands/show-model.ts'
import { useJobsStore } from './stores/jobs.ts'
import { useModelStore } from './stores/model.ts'
import { usePreviewStore } from './stores/preview.ts'
import { useResultStore } from './stores/result.ts'
import { useStatusStore } from './stores/status.ts'
import { useViewStore } from './stores/view.ts'
import { vatStudio } from './vat-studio.ts'
import { formatMillimetres } from './words/format.ts'
import { jobTitle } from './words/job-text.ts'

/** Makes the window and connects it with the main process. */
export async function startWindow(host: Element): Promise<App> {
  // The window's content security policy forbids what zod would make its faster checks of.
  config({ jitless: true })
  const api = vatStudio()
  const [info, settings] = await Promise.all([api.app.info(), api.settings.get()])

  const pinia = createPinia()
  const view = useViewStore(pinia)
  view.theme = info.theme
  view.restore(settings)
  view.remember()
  document.documentElement.dataset.theme = info.theme

  const model = useModelStore(pinia)
  const preview = usePreviewStore(pinia)
  const jobs = useJobsStore(pinia)
  const result = useResultStore(pinia)
  const status = useStatusStore(pinia)

  api.app.onTheme((theme) => (view.theme = theme))
  api.settings.onChange((changed) => (view.themeChoice = changed.theme))
  api.models.onOpen((file) => void showModel(file))
  api.jobs.onEvent(jobs.receive)
  jobs.onFinished((job) => {
    const error = formatMillimetres(job.result!.sidecar.report.position.maxMillimetres)
    status.say(`${jobTitle(job)} baked and verified, max error ${error}`, job.state === 'done' ? 'good' : 'bad')
    result.show(job)
  })
  api.preview.onLost(() => {
    preview.lost()
    // What the service held is gone with it; the file is read again.
    if (model.grant) void model.open(model.grant)
    status.say('The preview stopped and was started again', 'bad')
  })

  const app = createApp(AppWindow, { info })
  app.use(pinia)
  app.mount(host)

  const first = await api.models.first()
  if (first) await model.open(first)
  else view.place = 'start'
  return app
}
