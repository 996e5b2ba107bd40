const ended = new AbortController()
/** Aborted by `destroy`. */
export const { signal } = ended

/** Listens to several events, named in one string, until {@link endAll}: on the way down to the target unless told. */
export function listen<Heard extends Event>(
  target: EventTarget,
  types: string,
  listener: (event: Heard) => unknown,
  capture = true,
): void {
  for (const type of types.split(' ')) {
    // The caller names the event by its type.
    target.addEventListener(type, listener as EventListener, { capture, signal })
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
