/** What `all` does not reset. */
const reset = 'all:initial;direction:ltr;unicode-bidi:normal;'

/** Makes declarations win over every style sheet. */
export const force = (css: string): string => css.replace(/;/g, '!important;')

export interface Freeze {
  (element: Element, pseudo?: string): string
  /** Whether scroll bars take room here. */
  hasBars: boolean
}

/** Makes elements independent of any style sheet: their computed styles, as far as they differ from the initial ones. */
export function createFreeze(root: ShadowRoot): Freeze {
  // Only a real element has computed values. Ours stands in our own shadow root, where nobody of the page looks.
  const sample = document.createElement('i')
  sample.style.cssText = reset
  root.append(sample)
  const initial = new Map<string, string>()
  const read = (style: CSSStyleDeclaration, visit: (name: string, value: string) => void) => {
    for (const name of style) if (!/^(anim|transition)/.test(name)) visit(name, style.getPropertyValue(name))
  }
  read(getComputedStyle(sample), (name, value) => initial.set(name, value))
  sample.style.cssText = `${reset}display:block;overflow:scroll`
  const hasBars = sample.offsetWidth > sample.clientWidth
  sample.remove()

  const freeze = (element: Element, pseudo?: string) => {
    let css = reset
    read((element.ownerDocument.defaultView as Window).getComputedStyle(element, pseudo), (name, value) => {
      if (value !== initial.get(name)) css += `${name}:${value};`
    })
    return force(css)
  }
  return Object.assign(freeze, { hasBars })
}
