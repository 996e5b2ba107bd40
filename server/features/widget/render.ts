import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { LoaderSettings, PanelSettings, WidgetLocale, WidgetSettings } from '#contract/widget-settings.ts'
import { makeColors } from './theme.ts'
import { settingsPlaceholder, type WidgetBuild } from './widget-build.ts'

/** A widget as it is shown: published, or a draft. */
export interface ShownWidget {
  readonly key: string
  readonly hosts: readonly string[]
  readonly settings: WidgetSettings
  /** Set for a draft: the name of its state. */
  readonly draftToken?: string
}

/** Code as it is sent. */
export interface Rendered {
  readonly code: string
  /** The code compressed by Brotli (RFC 7932). */
  readonly brotli: Buffer
  readonly etag: string
}

const compress = promisify(brotliCompress)

/** Names a state of settings and build: what is served under this name never changes. Eight characters. */
export function versionOf(build: WidgetBuild, { settings }: ShownWidget): string {
  const hash = createHash('sha256').update(build.name).update(JSON.stringify(settings)).digest('hex')
  return hash.slice(0, 8)
}

/**
 * The loader of one widget: code and settings in one answer, so that a page asks once.
 *
 * @param language the browser's, for the words on the button.
 */
export function renderLoader(build: WidgetBuild, widget: ShownWidget, language: WidgetLocale): Promise<Rendered> {
  const { theme, locale, privacy, replay } = widget.settings
  const settings: LoaderSettings = {
    key: widget.key,
    build: build.name,
    // A draft's name is its own: its texts are looked up by it, and no cache may keep them for others.
    version: widget.draftToken ?? versionOf(build, widget),
    hosts: widget.hosts,
    style: styleLauncher(widget.settings),
    ...(!privacy.storage && { storage: false }),
    ...(!privacy.console && { console: false }),
    ...(!privacy.network && { network: false }),
    ...(locale !== 'auto' && { locale }),
    ...readLabel(build, widget.settings, locale === 'auto' ? language : locale),
    ...(theme !== 'auto' && { theme }),
    ...(replay && { replay }),
  }
  return render(build.loader.replace(settingsPlaceholder, () => toCode(settings)))
}

/** Where the button stands, 44 px high, and its colours: as CSS, which is shorter than the code that would write it. */
function styleLauncher({ launcher: { kind, position, offset }, color }: WidgetSettings): string {
  // The site has a button of its own.
  if (kind === 'custom') return 'display:none'
  const [edge, side] = position.split('-')
  const vertical = edge === 'middle' ? 'top:calc(50% - 22px)' : `${edge}:${offset}px`
  return `${side}:${offset}px;${vertical};color:${makeColors(color).ink};background:${color}`
}

/** The button's words in one language, where they are not those of the loader's own code. */
function readLabel(build: WidgetBuild, { texts }: WidgetSettings, locale: WidgetLocale): { label?: string } {
  const label = texts[locale]?.label ?? build.words[locale]?.label
  return label === undefined || label === build.words.en.label ? {} : { label }
}

/** Panel settings and texts in one language, as a module: English where a language lacks a text, own words before ours. */
export function renderTexts(build: WidgetBuild, { settings }: ShownWidget, locale: WidgetLocale): Promise<Rendered> {
  const { radius, greeting, teamPicture, types, rating, email, name, fields, consent } = settings
  const { capture, replay, ownItems, contactEmail } = settings
  const panel: PanelSettings = {
    radius,
    greeting,
    teamPicture,
    types,
    rating,
    email,
    name,
    fields,
    consent,
    capture,
    replay,
    ownItems,
    contactEmail,
    mask: settings.privacy.mask,
    position: settings.launcher.position,
    offset: settings.launcher.offset,
    colors: makeColors(settings.color),
  }
  const strings = { ...build.words.en, ...build.words[locale], ...settings.texts[locale] }
  return render(`export const settings=${toCode(panel)},strings=${toCode(strings)}`)
}

// `<` and the two line separators are safe in JSON but not wherever this code may be inlined.
function toCode(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

async function render(code: string): Promise<Rendered> {
  // Weak, because it stands for the same code in two encodings.
  const etag = `W/"${createHash('sha256').update(code).digest('base64url').slice(0, 22)}"`
  return { code, brotli: await compress(code), etag }
}
