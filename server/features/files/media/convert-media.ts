import { join } from 'node:path'
import { withScratchFolder } from '#server/platform/storage/scratch.ts'
import { type Derivative, derivedKey, type Storage } from '#server/platform/storage/storage.ts'
import type { Findings } from '../files.queries.ts'
import type { MediaTools } from './media-tools.ts'
import { inputArguments, type MediaFacts, probeMedia } from './probe-media.ts'
import { ToolError } from './run-tool.ts'
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
  /** Made here, removed afterwards. */
  readonly folder: string
}

/**
 * Makes of a recording what every browser plays and can seek in (MP4 with H.264 and AAC), a poster and a waveform, and
 * measures it. What cannot be made is left out: the recording itself is always kept.
 */
export async function convertMedia(
  tools: MediaTools,
  storage: Storage,
  { storageKey, mime }: { storageKey: string; mime: string },
): Promise<Omit<Findings, 'state'> | { readonly refusal: string }> {
  return withScratchFolder((folder) =>
    storage.withLocalFile(storageKey, async (path) => {
      const facts = await probeMedia(tools, path, mime)
      if (!facts) return { refusal: 'Refused: nothing in it can be played.' }
      const conversion = { tools, path, mime, facts, folder }
      return facts.videoCodec === undefined
        ? convertSound(conversion, storage, storageKey)
        : convertVideo(conversion, storage, storageKey)
    }),
  )
}

async function convertSound(
  conversion: Conversion,
  storage: Storage,
  storageKey: string,
): Promise<Omit<Findings, 'state'>> {
  const { tools, path, facts } = conversion
  const mime = conversion.mime.replace(/^video/, 'audio')
  // These have their length in them and play everywhere.
  const isPlain = mime === 'audio/mpeg' || mime === 'audio/wav'
  const isAac = facts.audioCodec === 'aac'
  const encoding = isAac ? ['-c:a', 'copy'] : ['-c:a', 'aac', '-b:a', '96k', '-ac', '1']
  const target = join(conversion.folder, 'sound.mp4')
  const isMade =
    !isPlain && (isAac || tools.canEncode) && (await make(conversion, ['-map', '0:a:0', '-vn', ...encoding], target))
  const playbackKey = isMade ? await keep(storage, storageKey, 'mp4', target) : null
  const waveform = await ifPossible(() => readWaveform(tools, path, conversion.mime))
  return {
    mime,
    playbackKey,
    waveform: waveform?.values ?? null,
    durationMs: waveform?.durationMs ?? facts.durationMs ?? null,
    ...(!isPlain && !isMade && { note: asRecorded }),
  }
}

async function convertVideo(
  conversion: Conversion,
  storage: Storage,
  storageKey: string,
): Promise<Omit<Findings, 'state'>> {
  const { tools, path, mime, facts, folder } = conversion
  const { width = 0, height = 0 } = facts
  const found = { mime: mime.replace(/^audio/, 'video'), width: width || null, height: height || null }
  if (width * height > maxPixels) return { ...found, durationMs: facts.durationMs ?? null, note: asRecorded }
  const made = await makeVideo(conversion)
  const played = made
    ? await probeMedia(tools, made.path, made.derivative === 'mp4' ? 'video/mp4' : 'video/webm')
    : undefined
  const poster = join(folder, 'poster.jpg')
  const hasPoster = await ifPossible(() =>
    tools.ffmpeg([
      ...['-nostdin', '-v', 'error', '-threads', '1', '-ss', String(posterAt(played ?? facts))],
      ...inputArguments(path, mime),
      ...['-frames:v', '1', '-vf', "scale='min(960,iw)':-2", '-q:v', '4', '-f', 'mjpeg', '-y', `file:${poster}`],
    ]),
  )
  return {
    ...found,
    durationMs: played?.durationMs ?? facts.durationMs ?? null,
    playbackKey: made ? await keep(storage, storageKey, made.derivative, made.path) : null,
    posterKey: hasPoster === undefined ? null : await keep(storage, storageKey, 'jpg', poster).catch(() => null),
    ...(made?.derivative !== 'mp4' && { note: asRecorded }),
  }
}

const asRecorded = 'As recorded; it could not be converted for every browser.'

function posterAt({ durationMs = 0 }: MediaFacts): number {
  return Math.min(posterSeconds, durationMs / 2000)
}

/** By the cheapest way that plays everywhere; else a repacked one, in which at least one can seek. */
async function makeVideo(
  conversion: Conversion,
): Promise<{ path: string; derivative: Extract<Derivative, 'mp4' | 'webm'> } | undefined> {
  const { tools, mime, facts, folder } = conversion
  const mp4 = join(folder, 'video.mp4')
  const streams = ['-map', '0:v:0', '-map', '0:a:0?', '-sn', '-dn']
  const audio = facts.audioCodec === 'aac' ? ['-c:a', 'copy'] : ['-c:a', 'aac', '-b:a', '128k', '-ac', '2']
  if (facts.videoCodec === 'h264' && (await make(conversion, [...streams, '-c:v', 'copy', ...audio], mp4))) {
    return { path: mp4, derivative: 'mp4' }
  }
  const picture = [
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '26', '-pix_fmt', 'yuv420p', '-threads', String(threads)],
    // H.264 of this kind knows even sizes only.
    ...['-vf', "scale='trunc(min(1920,iw)/2)*2':-2"],
  ]
  if (tools.canEncode && (await make(conversion, [...streams, ...picture, ...audio], mp4))) {
    return { path: mp4, derivative: 'mp4' }
  }
  const derivative = mime.endsWith('webm') ? 'webm' : 'mp4'
  const repacked = join(folder, `repacked.${derivative}`)
  return (await make(conversion, [...streams, '-c', 'copy'], repacked)) ? { path: repacked, derivative } : undefined
}

async function make({ tools, path, mime }: Conversion, output: readonly string[], target: string): Promise<boolean> {
  const format = target.endsWith('.webm') ? ['-f', 'webm'] : ['-movflags', '+faststart', '-f', 'mp4']
  const made = await ifPossible(() =>
    tools.ffmpeg([
      ...['-nostdin', '-v', 'error', '-y', '-max_alloc', '1073741824'],
      ...inputArguments(path, mime),
      ...output,
      // Names and places that recorders write into a file stay with the original.
      ...[
        '-map_metadata',
        '-1',
        '-t',
        String(longestSeconds),
        '-fs',
        String(maxOutputBytes),
        ...format,
        `file:${target}`,
      ],
    ]),
  )
  return made !== undefined
}

async function keep(storage: Storage, storageKey: string, derivative: Derivative, path: string): Promise<string> {
  const key = derivedKey(storageKey, derivative)
  await storage.put(key, path)
  return key
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
