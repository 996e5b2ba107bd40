import { readComputed } from './computed.ts'

/** `all`, and the properties that it does not reset. */
const reset = 'all:initial;direction:ltr;unicode-bidi:normal;'

/** Makes declarations win over every style sheet. */
export const force = (css: string): string => css.replace(/;/g, '!important;')

export interface Freeze {
  (element: Element, pseudo?: string): string
  /** Whether scroll bars take up space in this browser. */
  hasBars: boolean
}

/** Makes elements independent of any style sheet: their computed styles, as far as they differ from the initial ones. */
export function createFreeze(root: ShadowRoot): Freeze {
  // Only a connected element has computed values. Earshot's shadow root hides it from the page.
  const sample = document.createElement('i')
  sample.style.cssText = reset
  root.append(sample)
  const initial: Record<string, string> = {}
  const freeze = (element: Element, pseudo?: string) => {
    const style = readComputed(element, pseudo)
    let css = reset
    for (const name of style) {
      const value = style.getPropertyValue(name)
      if (element === sample) initial[name] = value
      else if (value !== initial[name] && !/^(anim|transition)/.test(name)) css += `${name}:${value};`
    }
    return force(css)
  }
  freeze(sample)
  sample.style.cssText = `${reset}display:block;overflow:scroll`
  freeze.hasBars = sample.offsetWidth > sample.clientWidth
  sample.remove()
  return freeze
}
