import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { v7 as uuidV7 } from 'uuid'
import { announcePresence, type Presence } from '#contract/presence.ts'
import { call } from '#web/lib/api.ts'
import { locale } from '#web/lib/locale.ts'
import { useUser } from '#web/lib/session.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import { useMembers } from '../use-members.ts'
import { presenceKey } from './refresh-presence.ts'

/** The server forgets after 45 s who did not say that they are still there. */
const repeatMs = 20_000
const shownPeople = 3

/** This page, as long as it lives: a person may have several open. */
let pageId: string | undefined

function announce(organizationId: string, feedbackId: string | null, signal?: AbortSignal) {
  pageId ??= uuidV7()
  return call(announcePresence, {
    params: { organizationId },
    body: { pageId, feedbackId },
    ...(signal && { signal }),
  })
}

/** Says that this item is open here, and who else has it open. */
function usePresence(organizationId: string, feedbackId: string): readonly Presence[] {
  const { id: ownId } = useUser()
  const { data } = useQuery({
    queryKey: presenceKey(organizationId, feedbackId),
    queryFn: ({ signal }) => announce(organizationId, feedbackId, signal),
    refetchInterval: repeatMs,
    refetchOnMount: 'always',
    refetchOnWindowFocus: true,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    networkMode: 'always',
  })
  useEffect(() => {
    const leave = () => {
      // Without this message, colleagues see it in less than a minute.
      announce(organizationId, null).catch(() => {})
    }
    return leave
  }, [organizationId])
  const byUser = new Map(data?.others.map((other) => [other.userId, other]))
  byUser.delete(ownId)
  return [...byUser.values()]
}

/** Who else has the item open at the moment: their pictures, and their names for all who can't see those. */
export function PresentColleagues({ organizationId, feedbackId }: { organizationId: string; feedbackId: string }) {
  const others = usePresence(organizationId, feedbackId)
  const { people } = useMembers()
  if (others.length === 0) return <output className="sr-only" />
  const names = new Intl.ListFormat(locale).format(others.map(({ name }) => name))
  const text = `${names} ${others.length === 1 ? 'is' : 'are'} viewing this too`
  return (
    <output className="flex shrink-0 items-center">
      <Tooltip content={text} side="bottom">
        <span className="flex items-center">
          {others.slice(0, shownPeople).map(({ userId, name }) => (
            <Avatar
              key={userId}
              name={name}
              src={people.get(userId)?.picture}
              className="-ml-1 size-6 text-[0.625rem] ring-2 ring-surface first:ml-0"
            />
          ))}
          {others.length > shownPeople && (
            <span aria-hidden="true" className="ml-1 text-muted text-sm tabular-nums">
              +{others.length - shownPeople}
            </span>
          )}
        </span>
      </Tooltip>
      <span className="sr-only">{text}</span>
    </output>
  )
}
