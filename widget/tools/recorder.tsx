import { fill, type Panel, type Running } from '../panel/state.ts'
import { extend, longest, togglePause, warnFrom } from './recording.ts'

/** As minutes and seconds. */
const showTime = (seconds: number) => `${Math.floor(seconds / 60)}:${`${Math.floor(seconds % 60)}`.padStart(2, '0')}`

/** The status of a recording for screen readers: important changes only. */
export function announce({ t, running }: Panel): string {
  if (!running?.recording) return ''
  const { count, paused, limit, seconds } = running
  if (count) return fill(t.startsIn, { n: count })
  if (limit - seconds <= warnFrom) return fill(t.leftTime, { time: showTime(warnFrom) })
  return paused ? t.paused : t.recording
}

/** The controls of a recording. While the screen is recorded, the panel shows only these. */
export function viewRecorder(p: Panel, running: Running) {
  const { t, parts } = p
  const { button } = parts
  const { recording, count, kind, seconds, limit, levels, paused } = running
  if (!recording) return <p class="card note">{t[kind]}…</p>
  const discard = () => recording.discard()
  const left = limit - seconds
  const isLate = left <= warnFrom && !count
  return (
    <fieldset class="card rec" aria-label={t.recording}>
      <div class="row">
        <i class={paused || count ? 'dot' : 'dot on'} />
        <b>{count ? fill(t.startsIn, { n: count }) : paused ? t.paused : t.recording}</b>
        <span class="count">
          {showTime(seconds)} / {showTime(limit)}
        </span>
      </div>
      {!count && !p.small && (
        <svg class="levels" viewBox="0 0 160 40" aria-hidden="true">
          <path d={levels.map((level, index) => `M${index * 4 + 2} ${20 - level * 18}v${level * 36 + 0.1}`).join('')} />
        </svg>
      )}
      {isLate && <span class="bad">{fill(t.leftTime, { time: showTime(left) })}</span>}
      <div class="row">
        {button('main stop', t.stop, () => recording.stop(), { hidden: !!count })}
        {!count && button('plain', paused ? t.resume : t.pause, () => togglePause(p, running))}
        {isLate && limit < longest[kind] && button('plain', t.extend, () => extend(p, running))}
        {button('quiet', count ? t.cancel : t.discard, discard)}
      </div>
    </fieldset>
  )
}
