import type { AttachmentKind, maxAttachments as CountLimit, maxAttachmentBytes } from '#contract/files.ts'
import type { AnnotateModule, CaptureModule, ReplayModule, Screenshot } from '../loader/modules.ts'
import { type Attached, fill, focus, type Panel } from '../panel/state.ts'
import { loadTransport, markEdited } from './sending.ts'

/** The contract's numbers, repeated: the widget may import only their types. */
export const maxMegabytes: Record<keyof typeof maxAttachmentBytes, number> = {
  screenshot: 15,
  voice: 20,
  screen: 250,
  file: 25,
  replay: 5,
}
export const maxFiles: typeof CountLimit = 10

export type Way = 'viewport' | 'page' | 'element' | 'pixels'

const without = ({ files }: Panel, file: Attached) => files.filter((other) => other !== file)

function change(p: Panel, files: readonly Attached[], removed?: Attached): void {
  // The file removed before this one can no longer be restored.
  p.removed?.upload.discard()
  p.set({ files, removed })
  markEdited(p)
}

/** Adds a file whose upload has started. */
export function attach(p: Panel, file: Omit<Attached, 'url'>): void {
  const { kind } = file.upload
  p.stage.emit('capture', { kind, name: file.name, bytes: file.blob.size })
  p.set({ files: [...p.files, { ...file, url: URL.createObjectURL(file.blob) }] })
  markEdited(p)
}

/** Starts the upload of a whole file and adds it, unless the file is too large or one too many. */
async function upload(
  p: Panel,
  kind: AttachmentKind,
  blob: Blob,
  name: string,
  more: Pick<Attached, 'missing'> = {},
): Promise<void> {
  const { t } = p
  const n = maxMegabytes[kind]
  if (p.files.length >= maxFiles) return p.set({ note: fill(t.tooManyFiles, { n: maxFiles }) })
  if (blob.size > n * 1024 * 1024) return p.set({ note: fill(t.tooLarge, { name, n }) })
  try {
    const transport = await loadTransport(p)
    attach(p, { ...more, upload: transport.upload(p.stage, kind, blob.type, name, blob), blob, name })
  } catch {
    p.set({ note: t.notLoaded })
  }
}

/** Adds selected, pasted or dropped files, if the project accepts files. */
export async function addFiles(p: Panel, files: Iterable<File>): Promise<void> {
  p.set({ note: '' })
  // A submission being sent takes no more files.
  const isTaken = p.settings.capture.file && p.phase.kind !== 'sending'
  for (const file of isTaken ? files : []) await upload(p, 'file', file, file.name)
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

/** Takes a screenshot of the page, without the panel. */
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
      const blob = await toBlob(taken.canvas)
      await upload(p, 'screenshot', blob, t.screenshot, { missing: taken.missing })
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
    if (drawn) {
      const blob = await toBlob(drawn)
      const before = p.files
      p.files = without(p, file)
      await upload(p, file.upload.kind, blob, file.name, file)
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
  if (events) await upload(p, 'replay', events, p.t.replay)
  else p.set({ note: p.t.captureFailed })
}
