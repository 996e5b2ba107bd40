import { maxAttachmentBytes } from '#contract/files.ts'
import sheet from '#widget/annotate/annotate.css?inline'
import { openEditor } from '#widget/annotate/open-editor.ts'
import { editorStrings } from './editor-strings.ts'
import surfaceSheet from './surface.css?inline'

/** Types in which a picture is sent, best first: a photo as PNG may be too large. */
const encodings = [['image/png'], ['image/webp', 0.9], ['image/jpeg', 0.9]] as const

/**
 * Lets the member draw on a picture, over everything else.
 *
 * @param onReady called when everything is loaded, just before the editor opens.
 * @returns the picture with the marks burnt in; undefined: cancelled.
 * @throws Error when the picture cannot be loaded or encoded.
 */
export async function annotatePicture(url: string, onReady: () => void): Promise<Blob | undefined> {
  const picture = await loadPicture(url)
  onReady()
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [makeSheet(surfaceSheet), makeSheet(sheet)]
  const surface: Parameters<typeof openEditor>[0] = { root, locale: 'en', onKey: undefined }
  // The screen's own shortcuts must not hear keys that are meant for the editor.
  for (const name of ['keydown', 'keyup', 'keypress'] as const) {
    root.addEventListener(name, (event) => {
      // Listeners of these names get this event.
      if (name === 'keydown') surface.onKey?.(event as KeyboardEvent)
      event.stopPropagation()
    })
  }
  document.body.append(host)
  try {
    const drawn = await openEditor(surface, picture, editorStrings)
    return drawn instanceof HTMLCanvasElement ? await encode(drawn) : undefined
  } finally {
    host.remove()
  }
}

function makeSheet(css: string): CSSStyleSheet {
  const made = new CSSStyleSheet()
  made.replaceSync(css)
  return made
}

async function loadPicture(url: string): Promise<HTMLCanvasElement> {
  const reply = await fetch(url)
  if (!reply.ok) throw new Error('Couldn’t load the picture. Try again.')
  const bitmap = await createImageBitmap(await reply.blob())
  const canvas = document.createElement('canvas')
  canvas.width = bitmap.width
  canvas.height = bitmap.height
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  bitmap.close()
  return canvas
}

async function encode(canvas: HTMLCanvasElement): Promise<Blob> {
  for (const [type, quality] of encodings) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality))
    if (blob && blob.size <= maxAttachmentBytes.screenshot) return blob
  }
  throw new Error('The picture is too large to attach. Crop it, then try again.')
}
