import { encodeExtended } from 'content-disposition'

/** The ending that belongs to a type of ours. */
const endings: Readonly<Record<string, string>> = {
  'application/gzip': 'gz',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/webm': 'webm',
  'image/avif': 'avif',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'text/csv': 'csv',
  'text/plain': 'txt',
  'video/mp4': 'mp4',
  'video/ogg': 'ogv',
  'video/webm': 'webm',
}

const alsoKnownAs: Readonly<Record<string, readonly string[]>> = { jpg: ['jpeg'], txt: ['log'], m4a: ['mp4'] }

/** Whether a browser may show a file of this type by itself: pictures, sound and video, by what they hold. */
function isShown(mime: string): boolean {
  return /^(image|audio|video)\//.test(mime)
}

/** What a file is saved as: ends in what it is, whatever its sender called it. */
export function toFileName(mime: string, name: string | null, fallbackName: string): string {
  const ending = endings[mime] ?? 'bin'
  const stem = (name ?? fallbackName).replaceAll(/[/\\:*?"<>|]/g, '_').replace(/^\.+/, '')
  const known = [ending, ...(alsoKnownAs[ending] ?? [])]
  const hasEnding = known.some((each) => stem.toLowerCase().endsWith(`.${each}`))
  return hasEnding ? stem : `${stem || fallbackName}.${ending}`
}

/** The Content-Disposition of a file (RFC 6266). */
export function toContentDisposition(mime: string, name: string | null, fallbackName: string): string {
  const full = toFileName(mime, name, fallbackName)
  const plain = full.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll('%', '_')
  return `${isShown(mime) ? 'inline' : 'attachment'}; filename="${plain}"; filename*=${encodeExtended(full)}`
}
