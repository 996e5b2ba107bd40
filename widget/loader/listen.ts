const ended = new AbortController()

/** Listens to several events, named in one string, until {@link endAll}: on the way down to the target unless told. */
export function listen<Heard extends Event>(
  target: EventTarget,
  types: string,
  listener: (event: Heard) => unknown,
  capture = true,
): void {
  for (const type of types.split(' ')) {
    target.addEventListener(type, listener as EventListener, { capture, signal: ended.signal })
  }
}

/** Runs when the site has had enough of us. */
export function onEnd(undo: () => void): void {
  ended.signal.addEventListener('abort', undo)
}

/** Ends all listening, and undoes the rest. */
export function endAll(): void {
  ended.abort()
}
