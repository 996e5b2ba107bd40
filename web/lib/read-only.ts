import { useSyncExternalStore } from 'react'

/*
 * Whether the instance is read-only for maintenance. Each answer of the API says so in a header, so that pages learn it from
 * whatever they ask for anyway; what is shown then is loaded when it is needed.
 */

/** A write that was refused because of it. */
export interface RefusedWrite {
  readonly operationId: string
  readonly body: unknown
  /** For people. */
  readonly message: string
}

let isOn = false
let refused: RefusedWrite | undefined
const listeners = new Set<() => void>()

function tell(): void {
  for (const listener of listeners) listener()
}

export function noteReadOnly({ headers }: Response): void {
  if (headers.has('earshot-read-only') === isOn) return
  isOn = !isOn
  tell()
}

export function noteRefusedWrite(write: RefusedWrite): void {
  refused = write
  tell()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useReadOnly(): boolean {
  return useSyncExternalStore(subscribe, () => isOn)
}

/** The latest; a new object for each. */
export function useRefusedWrite(): RefusedWrite | undefined {
  return useSyncExternalStore(subscribe, () => refused)
}
