const ended = new AbortController()
/** Aborted by `destroy`. */
export const { signal } = ended

/** Listens to several events, named in one string, on the way down to the target, until {@link endAll}. */
export function listen<Heard extends Event>(
  target: EventTarget,
  types: string,
  listener: (event: Heard) => unknown,
): void {
  for (const type of types.split(' ')) {
    // The caller names the event by its type.
    target.addEventListener(type, listener as EventListener, { capture: true, signal })
  }
}

/** Registers a function that `destroy` runs. */
export function onEnd(undo: () => void): void {
  signal.addEventListener('abort', undo)
}

/** Removes all listeners, and runs the functions of {@link onEnd}. */
export function endAll(): void {
  ended.abort()
}
