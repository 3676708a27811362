import { marked } from 'marked'

/** A page of the documentation, from its Markdown. It has no script, and takes its colours from the system's choice. */
export function documentationPage(markdown: string): string {
  const title = /^# (.*)$/m.exec(markdown)?.[1] ?? 'VAT Studio'
  const body = marked.parse(markdown, { async: false }).replace(/<h([23])>(.*?)<\/h/g, (_, level: string, text: string) => `<h${level} id="${anchorOf(text)}">${text}</h`)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escape(title)}</title>
<style>${STYLE}</style>
<main>${body}</main>
</html>
`
}

/** The anchor of a heading as Markdown's readers know it: lower case, words joined by dashes. */
function anchorOf(text: string): string {
  return text.replace(/<[^>]*>/g, '').toLowerCase().replace(/[^\p{L}\p{N}\s-]/gu, '').trim().replace(/\s+/g, '-')
}

const escape = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')

const STYLE = `
:root { color-scheme: light dark; --text: #1b1d21; --page: #f7f8fa; --soft: #e9ebef; --line: #d2d5db; --link: #1f5fc4 }
@media (prefers-color-scheme: dark) { :root { --text: #e3e5e9; --page: #1b1d21; --soft: #26292e; --line: #3a3e45; --link: #86b3f7 } }
body { margin: 0; background: var(--page); color: var(--text); font: 14px/1.55 system-ui, sans-serif }
main { max-width: 760px; margin: 0 auto; padding: 32px 24px 64px; overflow-wrap: break-word }
h1 { font-size: 24px; line-height: 1.25 } h2 { font-size: 18px; margin-top: 36px } h3 { font-size: 15px; margin-top: 24px }
a { color: var(--link) }
code, pre { font: 12.5px/1.5 ui-monospace, monospace; background: var(--soft); border-radius: 4px }
code { padding: 1px 4px } pre { padding: 12px; overflow: auto } pre code { padding: 0 }
table { border-collapse: collapse; width: 100%; display: block; overflow: auto }
th, td { text-align: left; vertical-align: top; padding: 6px 10px; border-bottom: 1px solid var(--line) }
img { max-width: 100%; background: #fff; border-radius: 6px }
`
