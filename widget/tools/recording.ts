import type { longestScreenSeconds, longestVoiceSeconds } from '#contract/widget-settings.ts'
import type { MediaModule, Upload } from '../loader/modules.ts'
import { focus, type Panel, type Running } from '../panel/state.ts'
import { actionsOf, attach } from './attaching.ts'

/** In seconds. The contract's numbers, repeated: the widget may import only their types. */
export const longest: { voice: typeof longestVoiceSeconds; screen: typeof longestScreenSeconds } = {
  voice: 300,
  screen: 600,
}
const firstLimit = 120
/** Seconds left from which on they are shown. */
export const warnFrom = 30
const shownLevels = 40

/** Changes the running recording and shows it. */
function update(p: Panel, running: Running, part: Partial<Running>): void {
  Object.assign(running, part)
  p.set({})
}

function explain({ t }: Panel, kind: Running['kind'], error: unknown): string {
  // `getUserMedia` and MediaRecorder throw errors.
  const { name } = error as Error
  if (kind === 'voice' && name === 'NotFoundError') return t.micMissing
  if (name === 'NotAllowedError') return kind === 'voice' ? t.micDenied : t.screenDenied
  return t.cannotRecord
}

/**
 * Records: requests the source, counts down before a screen recording, uploads while it runs, and attaches the recording
 * however it ends.
 */
export async function record(p: Panel, kind: Running['kind']): Promise<void> {
  const { stage, t } = p
  if (p.running) return
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const running: Running = { kind, count: 0, seconds: 0, limit: firstLimit, levels: [], paused: false, ended }
  p.set({ note: '', unfolded: '', running })
  let upload: Upload | undefined
  const chunks: Blob[] = []
  const finish = () => {
    if (p.running === running) p.set({ running: undefined, small: false })
    end()
  }
  try {
    const media = await stage.load<MediaModule>('media')
    if (!media.canRecord(kind)) throw new Error('recording is not allowed here')
    const recording = await media.record(kind, {
      microphone: p.microphone,
      limitSeconds: running.limit,
      cover: p.settings.mask,
      onChunk(chunk) {
        if (upload) upload.append(chunk)
        else chunks.push(chunk)
      },
      onTick(seconds, level) {
        update(p, running, { seconds, levels: [...running.levels.slice(1 - shownLevels), level] })
      },
      onEnd({ blob, durationMs }) {
        finish()
        if (!upload || !blob.size) {
          upload?.discard()
          p.set({ note: t.nothing })
          return
        }
        upload.finish()
        attach(p, { upload, blob, name: t[kind], durationMs })
        if (durationMs >= running.limit * 1000) p.set({ note: t.limitReached })
        focus(p, '.tile:last-child button')
      },
    })
    upload = actionsOf(p).upload(stage, kind, recording.mime)
    for (const chunk of chunks) upload.append(chunk)
    const isScreen = kind === 'screen'
    running.recording = {
      ...recording,
      discard() {
        recording.discard()
        upload?.discard()
        finish()
      },
    }
    p.set({ small: isScreen, note: isScreen && p.microphone && !recording.microphone ? t.micDenied : '' })
    focus(p, '.stop')
    if (!isScreen) return
    recording.pause()
    for (const count of [3, 2, 1]) {
      update(p, running, { count })
      await new Promise((resolve) => setTimeout(resolve, 1000))
      if (p.running !== running) return
    }
    recording.resume()
    update(p, running, { count: 0 })
    focus(p, '.stop')
  } catch (error) {
    finish()
    stage.emit('error', error)
    p.set({ note: explain(p, kind, error) })
  }
}

export function togglePause(p: Panel, running: Running): void {
  const paused = !running.paused
  running.recording?.[paused ? 'pause' : 'resume']()
  update(p, running, { paused })
}

/** Extends the limit by one minute, up to the maximum. */
export function extend(p: Panel, running: Running): void {
  const limit = Math.min(running.limit + 60, longest[running.kind])
  running.recording?.extend(limit)
  update(p, running, { limit })
}
