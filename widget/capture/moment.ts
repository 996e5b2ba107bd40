import { readComputed } from './computed.ts'
import { force } from './freeze.ts'
import type { AddRule, Styles, TakeNote } from './scene.ts'

/**
 * Keeps the present moment of a document, which its markup alone does not tell: values that animations have reached, and
 * states such as `:hover`.
 */
export function freezeMoment(document: Document, { states, animated }: Styles, note: TakeNote, addRule: AddRule): void {
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
  for (const state of states) {
    try {
      for (const element of document.querySelectorAll(`:${state}`)) note(element).marks += `${state} `
    } catch {}
  }
}
