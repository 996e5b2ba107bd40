import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { useRef } from 'react'
import { Button } from './button.tsx'
import { cn } from './class-names.ts'
import { RequestNote } from './request-note.tsx'
import { dismissToast, type ToastState, toastDurationsMs } from './toast.tsx'
import { useClearTop } from './use-clear-top.ts'

const swipeThresholdPixels = 50

const icons = {
  neutral: <Info aria-hidden="true" className="text-info-text" />,
  success: <CircleCheck aria-hidden="true" className="text-success-text" />,
  danger: <CircleAlert aria-hidden="true" className="text-danger-text" />,
}

/** The toast, if there is one, and the region that it appears in. */
export function ToastWindow({ state }: { state: ToastState | undefined }) {
  const viewport = useRef<HTMLOListElement>(null)
  useClearTop(viewport, state?.open === true)
  // Low enough to cover the heading of what is being read, but not its text.
  const description = state?.description ?? state?.error?.message
  const isOneLine = description === undefined && state?.action !== undefined
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
            {description !== undefined && (
              <Radix.Description className="break-words text-base text-muted">{description}</Radix.Description>
            )}
            <RequestNote error={state.error} />
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
        className="fixed top-14 right-0 z-[100] m-0 flex w-full max-w-104 list-none flex-col px-4 py-2 outline-none"
      />
    </Radix.Provider>
  )
}
