import { useSyncExternalStore } from 'react'

/** How long a toast stays, in milliseconds. */
export const toastDurationsMs = { short: 5000, medium: 7000, long: 10_000 } as const
const removalDelayMs = 3000

export interface ToastOptions {
  title: string
  description?: string
  /** What failed: its message is the description, with the request ID if the server answered. */
  error?: Error
  tone?: 'neutral' | 'success' | 'danger'
  durationMs?: number
  action?: { label: string; onPress: () => void }
}

export interface ToastState extends ToastOptions {
  id: number
  open: boolean
}

let current: ToastState | undefined
let lastId = 0
let removal: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function change(next: ToastState | undefined): void {
  current = next
  for (const listener of listeners) listener()
}

/** Shows a toast. There is one at a time: a new one takes the place of the old. */
export function toast(options: ToastOptions): void {
  clearTimeout(removal)
  lastId += 1
  change({ ...options, id: lastId, open: true })
}

/** Closes the toast, if there is one. It leaves the page a moment later, when its motion is over. */
export function dismissToast(): void {
  if (!current?.open) return
  change({ ...current, open: false })
  removal = setTimeout(() => change(undefined), removalDelayMs)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The toast that is shown or leaving. */
export function useToast(): ToastState | undefined {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => undefined,
  )
}
