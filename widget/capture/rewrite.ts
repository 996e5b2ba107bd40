import { isDarkScheme } from './computed.ts'
import type { Shot } from './shot.ts'

/**
 * Prepares declarations: addresses become files' places, units of the viewport px, and a choice of schemes the present one,
 * since images do not know what the visitor prefers.
 */
export type Rewrite = (declarations: string, base?: string) => string

/** Units that the picture's own viewport would get wrong, and addresses, which a picture may not follow. */
const values = /url\((['"]?)(.*?)\1\)|([\s(,:/*+-])(\d*\.?\d+)[sld]?v([whib]|min|max)\b/gs

const bothSchemes = /(color-scheme: ?)(light dark|dark light)/g

export const createRewrite =
  (document: Document, hold: Shot['hold']): Rewrite =>
  (text, base = document.baseURI) =>
    text
      .replace(bothSchemes, (_, name, both) => name + (isDarkScheme(document, both) ? 'dark' : 'light'))
      .replace(values, (all, _quote, address: string, before, number, unit: string) => {
        // Only documents in a window are drawn.
        const { innerWidth, innerHeight } = document.defaultView as Window
        if (unit) {
          const size = unit[1]
            ? // The pattern matches only `vmin` and `vmax` here.
              Math[unit as 'min' | 'max'](innerWidth, innerHeight)
            : /[wi]/.test(unit)
              ? innerWidth
              : innerHeight
          return `${before}${(number * size) / 100}px`
        }
        // Parts of the page itself (gradients, masks, filters) are parts of the picture too.
        return /^(data|#)/.test(address) ? all : `url("${hold(new URL(address, base).href)}")`
      })
