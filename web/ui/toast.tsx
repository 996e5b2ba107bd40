import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { useRef, useSyncExternalStore } from 'react'
import { Button } from './button.tsx'
import { cn } from './class-names.ts'
import { useClearTop } from './use-clear-top.ts'

/** How long a toast stays, in milliseconds. */
export const toastDurationsMs = { short: 5000, medium: 7000, long: 10_000 } as const
const removalDelayMs = 3000
const swipeThresholdPixels = 50

export interface ToastOptions {
  title: string
  description?: string
  tone?: 'neutral' | 'success' | 'danger'
  durationMs?: number
  action?: { label: string; onPress: () => void }
}

interface ToastState extends ToastOptions {
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
function dismissToast(): void {
  if (!current?.open) return
  change({ ...current, open: false })
  removal = setTimeout(() => change(undefined), removalDelayMs)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const icons = {
  neutral: <Info aria-hidden="true" className="text-info-text" />,
  success: <CircleCheck aria-hidden="true" className="text-success-text" />,
  danger: <CircleAlert aria-hidden="true" className="text-danger-text" />,
}

/** Where toasts appear: once, at the root of the app. */
export function Toaster() {
  const state = useSyncExternalStore(
    subscribe,
    () => current,
    () => undefined,
  )
  const viewport = useRef<HTMLOListElement>(null)
  useClearTop(viewport, state?.open === true)
  // Low enough to cover the heading of what is being read, but not its text.
  const isOneLine = state?.description === undefined && state?.action !== undefined
  return (
    <Radix.Provider swipeDirection="right" swipeThreshold={swipeThresholdPixels} label="Notification">
      {state && (
        <Radix.Root
          key={state.id}
          open={state.open}
          onOpenChange={(open) => !open && dismissToast()}
          // Of what can be closed, the newest would get it: a toast about a menu's own change, instead of the menu.
          onEscapeKeyDown={(event) => document.activeElement?.closest('[data-pick-menu]') && event.preventDefault()}
          duration={state.durationMs ?? toastDurationsMs.short}
          type={state.tone === 'danger' ? 'foreground' : 'background'}
          className={cn(
            'animate-toast grid grid-cols-[auto_1fr_auto] gap-x-3 rounded-lg border border-border bg-raised px-4',
            'text-foreground shadow-lg',
            isOneLine ? 'items-center py-2' : 'items-start py-4',
          )}
        >
          <span className="flex h-5 items-center [&_svg]:size-4">{icons[state.tone ?? 'neutral']}</span>
          <div className={cn('flex min-w-0 gap-1', isOneLine ? 'items-center' : 'flex-col items-start')}>
            <Radix.Title className="min-w-0 flex-1 break-words font-medium text-base">{state.title}</Radix.Title>
            {state.description !== undefined && (
              <Radix.Description className="break-words text-base text-muted">{state.description}</Radix.Description>
            )}
            {state.action && (
              <Radix.Action altText={state.action.label} asChild>
                <Button
                  variant="secondary"
                  size="sm"
                  className={cn(!isOneLine && 'mt-2')}
                  onClick={state.action.onPress}
                >
                  {state.action.label}
                </Button>
              </Radix.Action>
            )}
          </div>
          <Radix.Close aria-label="Close" className="-m-1 rounded-sm p-1 text-muted hover:text-foreground">
            <X aria-hidden="true" className="size-4" />
          </Radix.Close>
        </Radix.Root>
      )}
      <Radix.Viewport
        ref={viewport}
        className="fixed top-14 right-0 z-[100] m-0 flex w-full max-w-[26rem] list-none flex-col px-4 py-2 outline-none"
      />
    </Radix.Provider>
  )
}
