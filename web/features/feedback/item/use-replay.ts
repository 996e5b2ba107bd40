import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { createPlayer, type ReplayPlayer } from '#widget/replay/view/player.ts'
import { NoPageError } from '#widget/replay/view/read-events.ts'

export type ReplayState =
  | { kind: 'loading' }
  | { kind: 'ready'; player: ReplayPlayer }
  /** A file without anything to show. */
  | { kind: 'empty' }
  | { kind: 'failed'; why: 'network' | 'file' }

/** Tallest picture, in CSS pixels: controls and a little of the page stay in sight. */
const maxHeight = () => Math.max(240, window.innerHeight * 0.62)

/**
 * Loads a replay into an element. What strangers recorded is never trusted: nothing of it runs or is loaded.
 * @param attempt a new number loads again
 * @param onChange at every change of place, up to 60 times a second
 */
export function useReplay(
  url: string,
  stage: RefObject<HTMLElement | null>,
  attempt: number,
  onChange: (player: ReplayPlayer) => void,
): ReplayState {
  const [state, setState] = useState<ReplayState>({ kind: 'loading' })
  const changed = useEffectEvent(onChange)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt loads the same address again
  useEffect(() => {
    const ended = new AbortController()
    let player: ReplayPlayer | undefined
    const load = async () => {
      const file = await fetch(url, { signal: ended.signal }).then(
        (response) => (response.ok ? response.blob() : undefined),
        () => undefined,
      )
      if (ended.signal.aborted || !stage.current) return
      if (!file) return setState({ kind: 'failed', why: 'network' })
      const onPlayerChange = (one: ReplayPlayer) => changed(one)
      player = await createPlayer(stage.current, file, {
        external: false,
        maxHeight: maxHeight(),
        onChange: onPlayerChange,
      })
      // The item was closed while its replay was being unpacked.
      if (ended.signal.aborted) return player.destroy()
      setState({ kind: 'ready', player })
    }
    setState({ kind: 'loading' })
    load().catch((error: unknown) => {
      if (ended.signal.aborted) return
      if (error instanceof NoPageError) setState({ kind: 'empty' })
      else setState({ kind: 'failed', why: 'file' })
    })
    return () => {
      ended.abort()
      player?.destroy()
    }
  }, [url, attempt])
  return state
}
