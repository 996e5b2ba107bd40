import { useEffect, useEffectEvent, useState } from 'react'
import { followLogs, type LogLine, type LogTailEvent } from '#contract/superadmin-logs.ts'
import { ApiError } from '#web/lib/api.ts'
import { followEvents } from '#web/lib/events.ts'
import { type LogSearch, toLineFilters } from './log-search.ts'

/** More lines than this are no longer on the screen of anyone: the oldest leave. */
const mostKept = 5_000

export type TailState = 'connecting' | 'live' | 'lost' | 'refused' | 'off'

interface Tail {
  readonly state: TailState
  /** Lines stored since the page was read. */
  readonly lines: readonly LogLine[]
  /** Lines that came too fast to be sent. */
  readonly leftOut: number
  readonly isAtLeast: boolean
}

const nothing = { lines: [], leftOut: 0, isAtLeast: false } as const

/**
 * Follows lines that match from a place on. After an interruption it continues where it was, so no line is lost or repeated.
 *
 * @param from `tail` of the page; undefined: it is not read yet.
 *   Another one: the page was read again, and contains all lines since the earlier one.
 */
export function useLogTail(search: LogSearch, from: string | undefined, isOn: boolean): Tail {
  const [tail, setTail] = useState<Omit<Tail, 'state'>>(nothing)
  const [state, setState] = useState<TailState>('connecting')
  const key = JSON.stringify([toLineFilters(search), from])
  const [shownKey, setShownKey] = useState(key)
  const [place, setPlace] = useState<string | undefined>(undefined)
  if (key !== shownKey) {
    setShownKey(key)
    setTail(nothing)
    setPlace(undefined)
  }
  const begin = useEffectEvent(() => place ?? from)
  const isReady = from !== undefined
  const filters = useEffectEvent(() => toLineFilters(search))

  // biome-ignore lint/correctness/useExhaustiveDependencies: with other filters, or another page, it begins again
  useEffect(() => {
    if (!isOn || !isReady) return
    const ending = new AbortController()
    let after = begin()
    setState('connecting')
    followEvents(followLogs, {
      params: {},
      query: () => ({ ...filters(), ...(after !== undefined && { after }) }),
      signal: ending.signal,
      onOpen: () => setState('live'),
      onLost: () => setState('lost'),
      onEvent: (data) => {
        // The server answers by the contract.
        const event = data as LogTailEvent
        after = event.tail
        setPlace(event.tail)
        if (event.items.length === 0 && event.leftOut === 0 && !event.isAtLeast) return
        setTail((known) => ({
          lines: [...event.items.toReversed(), ...known.lines].slice(0, mostKept),
          leftOut: known.leftOut + event.leftOut,
          isAtLeast: known.isAtLeast || event.isAtLeast,
        }))
      },
    }).catch((error: unknown) => setState(error instanceof ApiError ? 'refused' : 'lost'))
    return () => ending.abort()
  }, [isOn, isReady, key])
  return { ...tail, state: isOn ? state : 'off' }
}
