const ended = new AbortController()
/** Aborted when the site has had enough of us. */
export const { signal } = ended

/** Listens to several events, named in one string, until {@link endAll}: on the way down to the target unless told. */
export function listen<Heard extends Event>(
  target: EventTarget,
  types: string,
  listener: (event: Heard) => unknown,
  capture = true,
): void {
  for (const type of types.split(' ')) {
    target.addEventListener(type, listener as EventListener, { capture, signal })
  }
}

/** Runs in the end. */
export function onEnd(undo: () => void): void {
  signal.addEventListener('abort', undo)
}

/** Ends all listening, and undoes the rest. */
export function endAll(): void {
  ended.abort()
}
