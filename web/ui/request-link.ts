/** Where a request's log lines are read; undefined: the reader may not. */
type MakeHref = (requestId: string) => string

let makeHref: MakeHref | undefined

/** Told by the app, which knows what the reader may open. */
export function setRequestHref(next: MakeHref | undefined): void {
  makeHref = next
}

export function findRequestHref(requestId: string): string | undefined {
  return makeHref?.(requestId)
}
