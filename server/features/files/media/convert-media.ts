import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { withScratchFolder } from '#server/platform/storage/scratch.ts'
import { type Derivative, derivedKey, type Storage } from '#server/platform/storage/storage.ts'
import type { Findings } from '../files.queries.ts'
import { ToolError } from '../run-tool.ts'
import type { MediaTools } from './media-tools.ts'
import { inputArguments, type MediaFacts, probeMedia } from './probe-media.ts'
import { readWaveform } from './waveform.ts'

const longestSeconds = 3600
// What an hour of a screen may take; a recording that outgrows it ends there.
const maxOutputBytes = 500 * 1024 * 1024
const maxPixels = 8192 * 8192
const threads = 2
const posterSeconds = 1

interface Conversion {
  readonly tools: MediaTools
  readonly path: string
  readonly mime: string
  readonly facts: MediaFacts
  /** For what is made. */
  readonly folder: string
  readonly keep: (derivative: Derivative, path: string) => Promise<string>
}

type Made = Omit<Findings, 'state'>

/**
 * Makes of a recording what every browser plays and can seek in (MP4 with H.264 and AAC), a poster and a waveform, and
 * measures it. What cannot be made is left out: the recording itself is always kept.
 *
 * @param onWatchable called when the rest will take minutes, with all that is known by then.
 */
export async function convertMedia(
  tools: MediaTools,
  storage: Storage,
  { storageKey, mime }: { storageKey: string; mime: string },
  onWatchable: (made: Made) => Promise<void>,
): Promise<Made | { readonly refusal: string }> {
  return withScratchFolder((folder) =>
    storage.withLocalFile(storageKey, async (path) => {
      const facts = await probeMedia(tools, path, mime)
      if (!facts) return { refusal: 'Refused: nothing in it can be played.' }
      let derivedBytes = 0
      const keep = async (derivative: Derivative, made: string) => {
        const key = derivedKey(storageKey, derivative)
        const { size } = await stat(made)
        await storage.put(key, made)
        derivedBytes += size
        return key
      }
      const conversion = { tools, path, mime, facts, folder, keep }
      const found =
        facts.videoCodec === undefined
          ? await convertSound(conversion)
          : await convertVideo(conversion, (made) => onWatchable({ ...made, derivedBytes }))
      return { ...found, derivedBytes }
    }),
  )
}

const asRecorded = 'As recorded; it could not be converted for every browser.'

async function convertSound(conversion: Conversion): Promise<Made> {
  const { tools, path, facts, keep } = conversion
  const mime = conversion.mime.replace(/^video/, 'audio')
  const waveform = await ifPossible(() => readWaveform(tools, path, conversion.mime))
  const found = {
    mime,
    waveform: waveform?.values ?? null,
    durationMs: waveform?.durationMs ?? facts.durationMs ?? null,
  }
  // These have their length in them and play everywhere.
  if (mime === 'audio/mpeg' || mime === 'audio/wav') return found
  const sound = ['-map', '0:a:0', '-vn']
  const isAac = facts.audioCodec === 'aac'
  const encoding = isAac ? ['-c:a', 'copy'] : ['-c:a', 'aac', '-b:a', '96k', '-ac', '1']
  const mp4 = isAac || tools.canEncode ? await make(conversion, [...sound, ...encoding], 'mp4') : undefined
  if (mp4 !== undefined) return { ...found, playbackKey: await keep('mp4', mp4) }
  const webm = await make(conversion, [...sound, '-c:a', 'copy'], 'webm')
  return { ...found, playbackKey: webm === undefined ? null : await keep('webm', webm), note: asRecorded }
}

async function convertVideo(conversion: Conversion, onWatchable: (made: Made) => Promise<void>): Promise<Made> {
  const { tools, mime, facts, keep } = conversion
  const { width = 0, height = 0, videoCodec, audioCodec } = facts
  const found = { mime: mime.replace(/^audio/, 'video'), width: width || null, height: height || null }
  if (width * height > maxPixels) return { ...found, durationMs: facts.durationMs ?? null, note: asRecorded }

  const streams = ['-map', '0:v:0', '-map', '0:a:0?', '-sn', '-dn']
  const isH264 = videoCodec === 'h264'
  // Repacked, it has its length in it and can be sought in, whatever plays it.
  const container = isH264 || !mime.endsWith('webm') ? 'mp4' : 'webm'
  const repacked = await make(conversion, [...streams, '-c', 'copy'], container)
  const measured = repacked === undefined ? facts : await probeMedia(tools, repacked, `video/${container}`)
  const durationMs = measured?.durationMs ?? facts.durationMs ?? null
  const watchable = { ...found, durationMs, posterKey: await makePoster(conversion, durationMs ?? 0) }
  if (isH264 && (audioCodec === undefined || audioCodec === 'aac') && repacked !== undefined) {
    return { ...watchable, playbackKey: await keep('mp4', repacked) }
  }

  await onWatchable(watchable)
  const picture = isH264 ? ['-c:v', 'copy'] : encodedPicture
  const sound = audioCodec === 'aac' ? ['-c:a', 'copy'] : ['-c:a', 'aac', '-b:a', '128k', '-ac', '2']
  const mp4 = tools.canEncode ? await make(conversion, [...streams, ...picture, ...sound], 'mp4', 'encoded') : undefined
  if (mp4 !== undefined) return { ...watchable, playbackKey: await keep('mp4', mp4) }
  return {
    ...watchable,
    playbackKey: repacked === undefined ? null : await keep(container, repacked),
    note: asRecorded,
  }
}

const encodedPicture = [
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '26', '-pix_fmt', 'yuv420p', '-threads', String(threads)],
  // H.264 of this kind knows even sizes only.
  ...['-vf', "scale='trunc(min(1920,iw)/2)*2':-2"],
]

async function makePoster({ tools, path, mime, folder, keep }: Conversion, durationMs: number): Promise<string | null> {
  const poster = join(folder, 'poster.jpg')
  const made = await ifPossible(() =>
    tools.ffmpeg([
      ...['-nostdin', '-v', 'error', '-threads', '1', '-ss', String(Math.min(posterSeconds, durationMs / 2000))],
      ...inputArguments(path, mime),
      ...['-frames:v', '1', '-vf', "scale='min(960,iw)':-2", '-q:v', '4', '-f', 'mjpeg', '-y', `file:${poster}`],
    ]),
  )
  // A tool that found no picture at that moment is content all the same.
  const size =
    made === undefined
      ? 0
      : await stat(poster).then(
          (found) => found.size,
          () => 0,
        )
  return size > 0 ? keep('jpg', poster) : null
}

/** @returns where it was made, or undefined where it could not be. */
async function make(
  { tools, path, mime, folder }: Conversion,
  output: readonly string[],
  container: 'mp4' | 'webm',
  name = 'repacked',
): Promise<string | undefined> {
  const target = join(folder, `${name}.${container}`)
  const format = container === 'webm' ? ['-f', 'webm'] : ['-movflags', '+faststart', '-f', 'mp4']
  const made = await ifPossible(() =>
    tools.ffmpeg([
      ...['-nostdin', '-v', 'error', '-y', '-max_alloc', '1073741824'],
      ...inputArguments(path, mime),
      ...output,
      // Names and places that recorders write into a file stay with the original.
      ...['-map_metadata', '-1', '-t', String(longestSeconds), '-fs', String(maxOutputBytes), ...format],
      `file:${target}`,
    ]),
  )
  return made === undefined ? undefined : target
}

/** Undefined where a tool could not do it: a damaged or hostile file is nothing to stumble over. */
async function ifPossible<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ToolError) return undefined
    throw error
  }
}
