import { hasContent, readComputed } from './computed.ts'
import { force, reset } from './force.ts'
import type { Scene } from './scene.ts'

/** Computed values of an element without styles, by property; read once. */
let initial: Record<string, string> | undefined

function readInitial(host: Element): Record<string, string> {
  // Only a connected element has computed values. Earshot's shadow root hides it from the page.
  const sample = document.createElement('i')
  sample.style.cssText = reset
  host.shadowRoot?.append(sample)
  const style = readComputed(sample)
  const values = Object.fromEntries([...style].map((name) => [name, style.getPropertyValue(name)]))
  sample.remove()
  return values
}

/** Makes an element independent of any style sheet: its computed styles, as far as they differ from the initial ones. */
export function freeze(element: Element, { host }: Scene, pseudo?: string): string {
  initial ??= readInitial(host)
  const style = readComputed(element, pseudo)
  let css = reset
  for (const name of style) {
    const value = style.getPropertyValue(name)
    if (value !== initial[name] && !/^(anim|transition)/.test(name)) css += `${name}:${value};`
  }
  return force(css)
}

/** Makes generated contents independent of style sheets. */
export function freezePseudos(element: Element, scene: Scene): void {
  for (const pseudo of ['::before', '::after']) {
    if (hasContent(element, pseudo)) scene.addRule(element, pseudo, freeze(element, scene, pseudo))
  }
}
