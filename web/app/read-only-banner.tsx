import { useQuery } from '@tanstack/react-query'
import { Wrench } from 'lucide-react'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { getReadOnlyNotice, type ReadOnlyNotice } from '#contract/maintenance.ts'
import { call } from '../lib/api.ts'
import { getDateFormat } from '../lib/date-style.ts'
import { useOrganization } from '../lib/organization.tsx'
import { onReadOnly, type RefusedWrite, refusedWrite } from '../lib/read-only.ts'
import { toast, toastDurationsMs } from '../ui/toast.tsx'

/** The answer also says when it is over: then the frame takes the banner away. */
const refetchMs = 15_000

/** Above every screen while the instance is read-only: why, and until when. Says so again when someone tries to write. */
export default function ReadOnlyBanner() {
  const { isSuperadmin } = useOrganization()
  const { data } = useQuery({
    queryKey: ['read-only'],
    queryFn: ({ signal }) => call(getReadOnlyNotice, { signal }),
    refetchInterval: refetchMs,
    refetchOnMount: 'always',
    networkMode: 'always',
  })
  const ref = useRef<HTMLDivElement>(null)
  useRoom(ref)
  const notice = data?.readOnly
  useRefusals(notice?.message ?? 'Try again later.')
  return (
    <div
      ref={ref}
      role="status"
      className="flex shrink-0 items-start justify-center gap-2 border-border border-b bg-warning-soft px-4 py-2 text-base text-warning-text"
    >
      <Wrench aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <p className="[overflow-wrap:anywhere]">
        <span className="font-medium">Earshot is read-only for maintenance.</span>{' '}
        {notice?.message && <span dir="auto">{notice.message} </span>}
        {notice && describeEnd(notice)}
        {isSuperadmin && (
          <>
            {' '}
            <Link
              to="/dashboard/superadmin/maintenance"
              className="whitespace-nowrap font-medium underline underline-offset-2"
            >
              Manage
            </Link>
          </>
        )}
      </p>
    </div>
  )
}

function describeEnd({ endsAt }: Pick<ReadOnlyNotice, 'endsAt'>): string {
  if (endsAt === null) return 'You can read everything and change nothing.'
  const end = new Date(endsAt)
  if (end.getTime() < Date.now()) return 'It takes longer than expected.'
  const clock = getDateFormat('clock').format(end)
  const day = getDateFormat('day').format(end)
  return day === getDateFormat('day').format(new Date())
    ? `Expected to end at ${clock}.`
    : `Expected to end on ${day}, ${clock}.`
}

/** Screens as high as the window leave room for the banner, whose height depends on the message. */
function useRoom(ref: React.RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const banner = ref.current
    const region = banner?.parentElement
    if (!banner || !region) return
    const observer = new ResizeObserver(() => region.style.setProperty('--banner', `${banner.offsetHeight}px`))
    observer.observe(banner)
    return () => {
      observer.disconnect()
      region.style.removeProperty('--banner')
    }
  }, [ref])
}

/** Sent by pages themselves: no one used a control. */
const unaskedWrites = /^POST .*\/(?:presence|select|billing\/refresh)$/

function isUnasked({ method, path, body }: RefusedWrite): boolean {
  if (unaskedWrites.test(`${method} ${path}`)) return true
  // An item that is opened is marked as read. Marking it by hand has a message of its own.
  const fields = Object.keys((body as object | null | undefined) ?? {})
  return method === 'PATCH' && path.endsWith('/feedback/{feedbackId}') && fields.join() === 'viewed'
}

/** The moment that the last refusal was told: one from before the banner was there counts as well. */
let told: RefusedWrite | undefined

function useRefusals(words: string): void {
  const refused = useSyncExternalStore(onReadOnly, () => refusedWrite)
  const tell = useEffectEvent(() => {
    const description = `Earshot is read-only for maintenance. ${words}`
    toast({ title: 'Nothing was changed', description, durationMs: toastDurationsMs.long })
  })
  useEffect(() => {
    if (!refused || refused === told) return
    told = refused
    if (!isUnasked(refused)) tell()
  }, [refused])
}
