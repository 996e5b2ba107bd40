/** What `all` does not reset. */
const reset = 'all:initial;direction:ltr;unicode-bidi:normal;'

/** Makes declarations win over every style sheet. */
export const force = (css: string): string => css.replace(/;/g, '!important;')

export type Freeze = (element: Element, pseudo?: string) => string

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
  sample.remove()

  return (element, pseudo) => {
    let css = reset
    read((element.ownerDocument.defaultView as Window).getComputedStyle(element, pseudo), (name, value) => {
      if (value !== initial.get(name)) css += `${name}:${value};`
    })
    return force(css)
  }
}
