import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { LoaderSettings } from '#contract/widget.ts'
import type { Widget } from './widget.queries.ts'

/** The widget's built files. */
export interface WidgetBuild {
  readonly folder: string
  /** The loader's code, with {@link placeholder} where the settings go. */
  readonly loader: string
  /** File name of the panel, with its content hash. */
  readonly panel: string
}

const placeholder = '"__EARSHOT_SETTINGS__"'

/** @throws when the widget was not built, or not by the build this server belongs to. */
export async function readWidgetBuild(folder: string): Promise<WidgetBuild> {
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as {
    loader: string
    panel: string
  }
  const loader = await readFile(join(folder, manifest.loader), 'utf8')
  if (loader.split(placeholder).length !== 2)
    throw new Error('the built loader does not hold its settings exactly once')
  return { folder, loader, panel: manifest.panel }
}

/** The loader as it is sent. */
export interface RenderedLoader {
  readonly code: string
  /** The code compressed by Brotli (RFC 7932). */
  readonly brotli: Buffer
  readonly etag: string
}

const rendered = new WeakMap<Widget, Promise<RenderedLoader>>()
const compress = promisify(brotliCompress)

/** The loader of one widget: code and settings in one answer, so that a page asks once. Made once per widget and change. */
export function renderLoader(build: WidgetBuild, widget: Widget): Promise<RenderedLoader> {
  const known = rendered.get(widget)
  if (known) return known
  const made = makeLoader(build, widget)
  rendered.set(widget, made)
  return made
}

async function makeLoader(build: WidgetBuild, widget: Widget): Promise<RenderedLoader> {
  const { label, color, position, askRating, askEmail } = widget.settings as Partial<LoaderSettings>
  const settings: LoaderSettings = {
    key: widget.key,
    panelPath: `/e/a/${build.panel}`,
    hosts: [widget.domain],
    label: label ?? 'Feedback',
    color: color ?? '#4f46e5',
    position: position ?? 'bottom-right',
    askRating: askRating ?? true,
    askEmail: askEmail ?? true,
  }
  // `<` and the two line separators are safe in JSON but not wherever this code may be inlined.
  const json = JSON.stringify(settings).replaceAll(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const code = build.loader.replace(placeholder, () => json)
  // Weak, because it stands for the same code in two encodings.
  const etag = `W/"${createHash('sha256').update(code).digest('base64url').slice(0, 22)}"`
  return { code, brotli: await compress(code), etag }
}
