import { createElement as h, useState } from 'react'
import { hydrateRoot } from 'react-dom/client'

/** A page that React draws whole, html element and all, as the frameworks do. */
function Page({ text }: { text: string }) {
  const [count, setCount] = useState(0)
  const button = h('button', { type: 'button', onClick: () => setCount(count + 1) }, `${text} ${count}`)
  return h('html', { lang: 'en' }, h('head', null, h('title', null, 'Shop')), h('body', null, h('div', null, button)))
}

Object.assign(window, {
  /** `Bought` is the server's text; any other text is a mismatch, after which React renders everything again. */
  hydrate(text: string) {
    hydrateRoot(document, h(Page, { text }), { onRecoverableError: () => {} })
  },
})
