import { useSyncExternalStore } from 'react'
import type { RouteContract } from '#contract/route.ts'

/*
 * Whether the instance is read-only for maintenance. Each answer of the API says so in a header, so that pages learn it from
 * whatever they ask for anyway; what is shown then is loaded when it is needed.
 */

/** A write that was refused because of it. */
export interface RefusedWrite {
  readonly method: string
  /** Of the contract: it names the route. */
  readonly path: string
  readonly body: unknown
}

let isOn = false
/** The latest; a new object for each. */
export let refusedWrite: RefusedWrite | undefined
const listeners = new Set<() => void>()

/** Learns from an answer whether it is on, and whether it was the reason of a refusal. */
export function noteReadOnly({ headers, status }: Response, { method, path }: RouteContract, body: unknown): void {
  const before = isOn
  isOn = headers.has('earshot-read-only')
  const isRefused = isOn && status === 503 && method !== 'GET'
  if (isRefused) refusedWrite = { method, path, body }
  if (isRefused || isOn !== before) for (const listener of listeners) listener()
}

export function onReadOnly(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useReadOnly = () => useSyncExternalStore(onReadOnly, () => isOn)
