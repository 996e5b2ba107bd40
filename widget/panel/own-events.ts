import type { Stage } from '../loader/stage.ts'

/**
 * Runs our own listeners for events that the page must not hear (see `isolateEvents`). They hear a copy that stays inside
 * the shadow root. It is a plain event, so that the browser activates a button, a box or a link once: by the original.
 */
export function runOwnListeners(stage: Stage): void {
  const { onEvent } = stage
  stage.onEvent = (event) => {
    const { type } = event
    const [target] = event.composedPath()
    // Safari's controls of a player are listeners inside the player.
    if (target instanceof HTMLMediaElement) return
    event.stopImmediatePropagation()
    // The event is named by its type.
    if (type === 'keydown') stage.onKey?.(event as KeyboardEvent)
    // The launcher is the loader's.
    else if (target === stage.button) onEvent(event)
    else if (type === 'click' || type === 'pointerdown') {
      const copy = new Event(type, { bubbles: true, cancelable: true })
      for (const name in event) if (!(name in copy)) Reflect.set(copy, name, Reflect.get(event, name))
      if (!target?.dispatchEvent(copy)) event.preventDefault()
    }
  }
}
