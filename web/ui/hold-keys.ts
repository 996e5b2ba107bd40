/** Frames from an overlay's first drawing until it has the focus. */
const framesUntilFocus = 2

export interface HeldKeys {
  /** Presses them again, on what has the focus by then. */
  release(): void
  /** Forgets them: what they were meant for never came, and on the screen behind they would do something else. */
  drop(): void
}

/**
 * Keeps the keys that are pressed from now on, and none of them acts.
 *
 * @param isHeld which keys. Default: all
 */
export function holdKeys(isHeld = (_key: string) => true): HeldKeys {
  const held: KeyboardEvent[] = []
  const hold = (event: KeyboardEvent) => {
    if (!isHeld(event.key) || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (!event.repeat) held.push(event)
  }
  window.addEventListener('keydown', hold, { capture: true })
  const end = () => window.removeEventListener('keydown', hold, { capture: true })
  let isEnding = false
  return {
    release: () => {
      if (isEnding) return
      isEnding = true
      afterFrames(framesUntilFocus, () => {
        end()
        for (const event of held) press(event)
      })
    },
    drop: () => {
      isEnding = true
      held.length = 0
      end()
    },
  }
}

function afterFrames(frames: number, act: () => void): void {
  requestAnimationFrame(() => (frames > 1 ? afterFrames(frames - 1, act) : act()))
}

/** Keys that a script presses reach listeners; what the browser does with a key, it does for its own alone. */
function press({ key, code, shiftKey }: KeyboardEvent): void {
  const target = document.activeElement ?? document.body
  const isFree = target.dispatchEvent(
    new KeyboardEvent('keydown', { key, code, shiftKey, bubbles: true, cancelable: true }),
  )
  if (!isFree) return
  if (key === 'Enter') {
    // In a field, Enter presses the button that sends the form.
    const form = target.matches('input') && target.closest('form')
    const button = form ? form.querySelector<HTMLElement>('[type=submit]') : target.closest<HTMLElement>('button, a')
    button?.click()
  } else if (key.length === 1 && target.matches('input, textarea')) {
    // The only way to type that a field's undo and React's listeners notice.
    document.execCommand('insertText', false, key)
  }
}
