import { readComputed } from './computed.ts'
import { force } from './force.ts'
import type { AddRule, Styles } from './scene.ts'

/** Keeps the values that animations have reached, which the markup alone does not tell. */
export function freezeAnimations(document: Document, { animated }: Styles, addRule: AddRule): void {
  for (const { effect } of document.getAnimations()) {
    // The document's animations have keyframe effects.
    const { target, pseudoElement } = effect as KeyframeEffect
    if (!target) continue
    const names = new Set(animated)
    // As above: a keyframe effect.
    for (const frame of (effect as KeyframeEffect).getKeyframes()) {
      for (const key in frame) names.add(key.replace(/[A-Z]/g, '-$&').toLowerCase())
    }
    let css = ''
    for (const name of names) {
      const value = readComputed(target, pseudoElement).getPropertyValue(name)
      if (value) css += `${name}:${value};`
    }
    addRule(target, pseudoElement ?? '', force(css))
  }
}
