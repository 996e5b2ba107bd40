import { open } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileTypeFromFile } from 'file-type'
import { type AttachmentKind, fileTypeAliases, keptFileTypes } from '#contract/files.ts'
import { judgeReplay } from './judge-replay.ts'
import { readPictureSize } from './picture-size.ts'
import { isPlainText } from './plain-text.ts'
import type { Verdict } from './verdict.ts'

const kept = keptFileTypes.split(',')
const pictures = kept.filter((type) => type.startsWith('image/'))
const sounds = kept.filter((type) => type.startsWith('audio/'))
const videos = kept.filter((type) => type.startsWith('video/'))

const allowed: Readonly<Record<Exclude<AttachmentKind, 'replay'>, readonly string[]>> = {
  screenshot: pictures,
  voice: [...sounds, 'video/webm', 'video/mp4'],
  screen: ['video/webm', 'video/mp4'],
  file: kept,
}

const wanted: Readonly<Record<Exclude<AttachmentKind, 'replay'>, string>> = {
  screenshot: 'a picture (PNG, JPEG, WebP, GIF or AVIF)',
  voice: 'sound (WebM, Ogg, MP4, MP3 or WAV)',
  screen: 'video (WebM or MP4)',
  file: 'a picture, sound, video, PDF, ZIP or text',
}

// What a browser must hold in memory to show it: beyond this, tabs die.
const maxPixels = 200_000_000
const headBytes = 1024 * 1024

/**
 * Looks at what a file holds; what its sender said of it decides nothing.
 *
 * @param file.name tells text from a table, which look the same.
 */
export async function judgeContent(
  path: string,
  file: { kind: AttachmentKind; name: string | null; bytes: number },
): Promise<Verdict> {
  const { kind, bytes } = file
  if (bytes === 0) return { refusal: 'Refused: it is empty.' }
  if (kind === 'replay') return judgeReplay(path)
  const mime = await findType(path, file)
  if (mime === undefined || !allowed[kind].includes(mime)) {
    const what = mime === undefined ? 'something else' : mime
    return { refusal: `Refused: it should be ${wanted[kind]}, but holds ${what}.` }
  }
  if (!pictures.includes(mime)) return { mime: kind === 'voice' ? mime.replace(/^video/, 'audio') : mime }
  const size = readPictureSize(mime, await readHead(path))
  if (!size) return { refusal: 'Refused: it begins like a picture, but is none.' }
  if (size.width * size.height > maxPixels) {
    return { refusal: `Refused: ${size.width} × ${size.height} pixels are more than a browser can show.` }
  }
  return { mime, ...size }
}

/** Whether it is sound or video. */
export function isMedia(mime: string): boolean {
  return sounds.includes(mime) || videos.includes(mime)
}

async function findType(path: string, { kind, name }: { kind: AttachmentKind; name: string | null }) {
  const found = (await fileTypeFromFile(path))?.mime
  if (found !== undefined) return fileTypeAliases[found] ?? found
  if (kind !== 'file' || !(await isPlainText(path))) return undefined
  return textTypes[extname(name ?? '').toLowerCase()] ?? 'text/plain'
}

const textTypes: Readonly<Record<string, string>> = { '.csv': 'text/csv', '.json': 'application/json' }

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
