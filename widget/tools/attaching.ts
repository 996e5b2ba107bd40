import type { AttachmentKind, maxAttachments as CountLimit, maxAttachmentBytes } from '#contract/files.ts'
import type {
  AnnotateModule,
  CaptureModule,
  ReplayModule,
  Screenshot,
  TransportModule,
  Way,
} from '../loader/modules.ts'
import { type ActionsModule, type Attached, fill, focus, type Panel } from '../panel/state.ts'
import { isKept } from './kept-files.ts'

/** The contract's numbers, repeated: the widget may import only their types. */
export const maxMegabytes: Record<keyof typeof maxAttachmentBytes, number> = {
  screenshot: 15,
  voice: 20,
  screen: 250,
  file: 25,
  replay: 5,
}
export const maxFiles: typeof CountLimit = 10

/** The panel loads the actions before the tools. */
export const actionsOf = (p: Panel) => p.actions as ActionsModule

const without = ({ files }: Panel, file: Attached) => files.filter((other) => other !== file)

function change(p: Panel, files: readonly Attached[], removed?: Attached): void {
  // The file removed before this one can no longer be restored.
  p.removed?.upload.discard()
  p.set({ files, removed })
  actionsOf(p).markEdited(p)
}

/** Adds a file whose upload has started. */
export function attach(p: Panel, file: Omit<Attached, 'url' | 'attachedAt'>): void {
  const { kind } = file.upload
  p.stage.emit('capture', { kind, name: file.name, bytes: file.blob.size })
  p.set({ files: [...p.files, { ...file, url: URL.createObjectURL(file.blob), attachedAt: Date.now() }] })
  actionsOf(p).markEdited(p)
}

/** Attaches recordings that a closed tab left unfinished. */
export function restore(p: Panel, found: Awaited<ReturnType<TransportModule['takeInterrupted']>>): void {
  for (const { upload, blob, durationMs } of found) {
    upload.finish()
    attach(p, { upload, blob, name: p.t[upload.kind], durationMs })
    p.set({ note: p.t.interrupted })
  }
}

/** Starts the upload of a whole file and adds it, unless the file is too large or one too many. */
function upload(p: Panel, kind: AttachmentKind, blob: Blob, name: string, more: Pick<Attached, 'missing'> = {}): void {
  const { t } = p
  const n = maxMegabytes[kind]
  if (p.files.length >= maxFiles) p.set({ note: fill(t.tooManyFiles, { n: maxFiles }) })
  else if (blob.size > n * 1024 * 1024) p.set({ note: fill(t.tooLarge, { name, n }) })
  else attach(p, { ...more, upload: actionsOf(p).upload(p.stage, kind, blob.type, name, blob), blob, name })
}

/** Adds selected, pasted or dropped files, if the project accepts files. */
export async function addFiles(p: Panel, files: Iterable<File>): Promise<void> {
  p.set({ note: '' })
  for (const file of p.settings.capture.file ? files : []) {
    if (await isKept(file)) upload(p, 'file', file, file.name)
    else p.set({ note: fill(p.t.wrongType, { name: file.name }) })
  }
}

export function remove(p: Panel, file: Attached): void {
  change(p, without(p, file), file)
  focus(p, '.undo')
}

export function putBack(p: Panel): void {
  const { removed } = p
  p.removed = undefined
  if (removed) change(p, [...p.files, removed])
}

/** As WebP where the browser can write it, else as PNG. */
const toBlob = (canvas: HTMLCanvasElement) =>
  new Promise<Blob>((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))), 'image/webp', 0.92),
  )

/** The ways to take a picture that this browser has. */
export function listWays(): Way[] {
  const ways: Way[] = ['viewport', 'page', 'element']
  // Absent on http pages; TypeScript declares it always.
  if ((navigator.mediaDevices as Partial<MediaDevices> | undefined)?.getDisplayMedia) ways.push('pixels')
  return ways
}

/**
 * Takes a screenshot of the page, without the panel, and opens it in the editor, where the visitor may ask for another
 * way. Cancelled there, nothing is attached.
 */
export async function takePicture(p: Panel, way: Way): Promise<void> {
  const { stage, t, settings } = p
  const isPixels = way === 'pixels'
  p.set({ note: '', unfolded: '', capturing: true, away: isPixels || way === 'element' })
  let note = ''
  try {
    const engine = await stage.load<CaptureModule>('capture')
    const area = way === 'element' ? await engine.pickElement(stage, t.pickHint) : way === 'page' ? way : 'viewport'
    if (area) {
      const taken: Screenshot = await engine[isPixels ? 'captureRealPixels' : 'capture'](stage, area, settings.mask)
      const editor = await stage.load<AnnotateModule>('annotate').catch(() => undefined)
      p.set({ away: true })
      const ways = [way, ...listWays().filter((other) => other !== way)]
      // Without the editor, the picture is attached as it is.
      const drawn = editor ? await editor.annotate(stage, taken.canvas, t, ways) : taken.canvas
      if (typeof drawn === 'string') return takePicture(p, drawn)
      if (drawn) upload(p, 'screenshot', await toBlob(drawn), t.screenshot, { missing: taken.missing })
    }
  } catch (error) {
    stage.emit('error', error)
    // `getDisplayMedia` and the capture throw errors.
    note = (error as Error).name === 'NotAllowedError' ? t.screenDenied : t.captureFailed
  }
  // After a failure the options stay open: the exact capture may still work.
  p.set({ capturing: false, away: false, note: note || p.note, unfolded: note && 'screenshot' })
  focus(p, note ? '.tools button' : '.tile:last-child button')
}

/** Lets the visitor annotate a picture; the result replaces it. */
export async function drawOn(p: Panel, file: Attached): Promise<void> {
  const { stage, t } = p
  p.set({ away: true, note: '' })
  try {
    const [editor, bitmap] = await Promise.all([stage.load<AnnotateModule>('annotate'), createImageBitmap(file.blob)])
    const canvas = document.createElement('canvas')
    canvas.width = bitmap.width
    canvas.height = bitmap.height
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
    const drawn = await editor.annotate(stage, canvas, t)
    // Another way is not offered here.
    if (typeof drawn === 'object') {
      const blob = await toBlob(drawn)
      const before = p.files
      p.files = without(p, file)
      upload(p, file.upload.kind, blob, file.name, file)
      // The original stays when the result is refused.
      if (p.files.length < before.length) p.set({ files: before })
      else file.upload.discard()
    }
  } catch (error) {
    stage.emit('error', error)
    p.set({ note: t.unreachable })
  }
  p.set({ away: false })
  focus(p, '.tile:last-child button')
}

/** Attaches the replay of the last minute, or removes it. */
export async function toggleReplay(p: Panel): Promise<void> {
  const attached = p.files.find(({ upload }) => upload.kind === 'replay')
  if (attached) return change(p, without(p, attached), attached)
  const replay = await p.stage.load<ReplayModule>('replay').catch(() => undefined)
  const events = await replay?.take()
  if (events) upload(p, 'replay', events, p.t.replay)
  else p.set({ note: p.t.captureFailed })
}
