/** What `all` does not reset. */
const reset = 'all:initial;direction:ltr;unicode-bidi:normal;'

/** Makes elements independent of any style sheet: their computed styles, as far as they differ from the initial ones. */
export function createFreezer(root: ShadowRoot): (element: Element, pseudo?: string) => string {
  // Only a real element has computed values. Ours stands in our own shadow root, where nobody of the page looks.
  const sample = document.createElement('i')
  sample.style.cssText = reset
  root.append(sample)
  const initial = new Map<string, string>()
  const computed = getComputedStyle(sample)
  for (const name of computed) initial.set(name, computed.getPropertyValue(name))
  sample.remove()

  return (element, pseudo) => {
    const style = (element.ownerDocument.defaultView as Window).getComputedStyle(element, pseudo)
    let text = reset
    for (const name of style) {
      const value = style.getPropertyValue(name)
      if (value !== initial.get(name) && !/^(animation|transition)/.test(name)) text += `${name}:${value};`
    }
    return text.replace(/;/g, '!important;')
  }
}
