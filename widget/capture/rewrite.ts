import type { Shot } from './shot.ts'

/** Prepares declarations: addresses become files' places, and units of the viewport px. */
export type Rewrite = (declarations: string, base?: string) => string

/** Units that the picture's own viewport would get wrong, and addresses, which a picture may not follow. */
const values = /url\((['"]?)(.*?)\1\)|([\s(,:/*+-])(\d*\.?\d+)[sld]?v([whib]|min|max)\b/gs

export const createRewrite =
  ({ baseURI, defaultView }: Document, hold: Shot['hold']): Rewrite =>
  (text, base = baseURI) =>
    text.replace(values, (all, _quote, address: string, before, number, unit: string) => {
      // Only documents in a window are drawn.
      const { innerWidth, innerHeight } = defaultView as Window
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
