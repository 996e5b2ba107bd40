import { useQueryClient } from '@tanstack/react-query'
import { Eye, PencilLine } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ApiError } from '../lib/api.ts'
import {
  checkEnd,
  endOnServer,
  followEnd,
  impersonationRefusedEvent,
  leaveImpersonation,
  readImpersonation,
} from '../lib/impersonation.ts'
import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toast.tsx'

const lastMinuteMs = 60_000
/** Screens that are as high as the window leave this room. */
const height = '3rem'

/** Above every screen of a tab that acts as someone else: as whom, what may be done, until when, and the way out. */
export default function ImpersonationBanner() {
  const [stored] = useState(readImpersonation)
  const [isOver, setOver] = useState(false)
  const leftMs = useTimeLeft(stored?.endsAtMs ?? 0)
  useRoom()
  useRefusals()
  useEffect(() => followEnd(() => setOver(true)), [])
  useCheckWhenSeen(stored?.token)
  if (!stored) return null
  const { user, mode } = stored.present
  const name = user.name === '' ? user.email : user.name
  if (isOver || leftMs <= 0) return <EndedScreen name={name} />
  const isReadOnly = mode === 'read_only'
  return (
    <section
      aria-label="Impersonation"
      className="sticky top-0 z-40 flex h-(--impersonation) items-center gap-3 border-border border-b bg-warning-soft px-4 text-warning-text"
    >
      {isReadOnly ? (
        <Eye aria-hidden="true" className="size-4 shrink-0" />
      ) : (
        <PencilLine aria-hidden="true" className="size-4 shrink-0" />
      )}
      <p className="min-w-0 flex-1 text-base leading-tight sm:flex-row sm:gap-3 flex flex-col">
        <span className="block truncate font-medium">
          You are impersonating <bdi>{name}</bdi>
        </span>
        <span className="block shrink-0 whitespace-nowrap">
          {isReadOnly ? 'Read-only' : 'Changes allowed'} · <span className="tabular-nums">{formatLeft(leftMs)}</span>
          <span className="sr-only"> left</span>
        </span>
      </p>
      {/* Said once, when it appears. */}
      <output className="sr-only">{leftMs <= lastMinuteMs && 'The impersonation ends in less than a minute.'}</output>
      <EndButton token={stored.token} />
    </section>
  )
}

function EndButton({ token }: { token: string }) {
  const [isEnding, setEnding] = useState(false)
  const end = async () => {
    setEnding(true)
    await endOnServer(token)
    leaveImpersonation()
  }
  return (
    <Button variant="secondary" size="sm" loading={isEnding} onClick={() => void end()}>
      End
    </Button>
  )
}

/** Covers what the tab showed of the person: nothing of it can be used any more. */
function EndedScreen({ name }: { name: string }) {
  return (
    <div
      role="alertdialog"
      aria-modal="true"
      aria-labelledby="impersonation-ended"
      className="fixed inset-0 z-[100] flex flex-col items-center justify-center gap-5 bg-surface px-6 text-center"
    >
      <h1 id="impersonation-ended" className="font-semibold text-xl">
        The impersonation has ended
      </h1>
      <p className="max-w-md text-base text-muted">
        This tab no longer shows Earshot as <bdi>{name}</bdi>. To continue, start again from the user’s page.
      </p>
      {/* The screen takes the place of all that had the focus. */}
      <Button autoFocus onClick={leaveImpersonation}>
        Back to the user’s page
      </Button>
    </div>
  )
}

/** Asks, when the tab is looked at again, whether the impersonation was ended elsewhere. */
function useCheckWhenSeen(token: string | undefined): void {
  useEffect(() => {
    if (token === undefined) return
    const check = () => {
      if (document.visibilityState === 'visible') checkEnd(token).catch(() => undefined)
    }
    document.addEventListener('visibilitychange', check)
    return () => document.removeEventListener('visibilitychange', check)
  }, [token])
}

/** Milliseconds until a time, updated each second. */
function useTimeLeft(endsAtMs: number): number {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return endsAtMs - nowMs
}

/** As clocks show it: `29:05`. */
function formatLeft(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

function useRoom(): void {
  useEffect(() => {
    const { style } = document.documentElement
    style.setProperty('--impersonation', height)
    style.setProperty('--page', `calc(100dvh - ${height})`)
    return () => {
      style.removeProperty('--impersonation')
      style.removeProperty('--page')
    }
  }, [])
}

/** Says why a change was refused, whether or not its screen does. */
function useRefusals(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const tell = (title: string) => toast({ title, tone: 'danger' })
    const unwatch = queryClient.getMutationCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'error') return
      const error: unknown = event.action.error
      if (error instanceof ApiError && error.code.startsWith('impersonation_')) tell(error.message)
    })
    const onRefused = () => tell('This can’t be done while you impersonate someone.')
    window.addEventListener(impersonationRefusedEvent, onRefused)
    return () => {
      unwatch()
      window.removeEventListener(impersonationRefusedEvent, onRefused)
    }
  }, [queryClient])
}
