import { describeBrowser } from '#contract/describe-browser.ts'
import { formatSize, type ValueRow } from '../item/flatten-values.ts'

export interface ContextGroup {
  readonly title: string
  readonly rows: readonly ValueRow[]
}

type Context = Readonly<Record<string, unknown>>
type Read = (value: unknown, context: Context) => string | undefined

const asText = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined)
/** Said only where it is true: that an ordinary thing is ordinary helps no one. */
const ifTrue =
  (words: string): Read =>
  (value) =>
    value === true ? words : undefined
const ifNumber =
  (format: (value: number) => string | undefined): Read =>
  (value) =>
    typeof value === 'number' && Number.isFinite(value) ? format(value) : undefined

/** What the widget sends about browser, screen and page (`widget/transport/context.ts`), in the order of reading. */
const knownValues: readonly {
  readonly title: string
  readonly values: readonly (readonly [key: string, name: string, read: Read])[]
}[] = [
  {
    title: 'Browser',
    values: [
      [
        'userAgent',
        'Browser',
        (value) => (typeof value === 'string' ? (describeBrowser(value) ?? asText(value)) : undefined),
      ],
      ['system', 'System', describeSystem],
      ['languages', 'Languages', (value, context) => listLanguages(value, context.language)],
      ['language', 'Languages', (value, context) => (hasLanguages(context) ? undefined : asText(value))],
      ['timeZone', 'Time zone', asText],
      ['cores', 'Processor cores', ifNumber(String)],
      // Browsers round it, and none says more than 8.
      ['memory', 'Memory', ifNumber((value) => (value >= 8 ? '8 GB or more' : `${value} GB`))],
      ['connection', 'Connection', (value) => asText(value)?.toUpperCase()],
      ['saveData', 'Data saver', ifTrue('On')],
      ['online', 'Network', (value) => (value === false ? 'Offline when it was sent' : undefined)],
    ],
  },
  {
    title: 'Screen',
    values: [
      ['viewport', 'Window', readSize],
      ['screen', 'Screen', readSize],
      ['zoom', 'Pinch zoom', ifNumber((value) => (value === 1 ? undefined : `${Math.round(value * 100)} %`))],
      [
        'colorScheme',
        'Colour scheme',
        (value) => (value === 'dark' ? 'Dark' : value === 'light' ? 'Light' : undefined),
      ],
      ['touch', 'Touch screen', ifTrue('Yes')],
      ['reducedMotion', 'Reduced motion', ifTrue('Preferred')],
    ],
  },
  {
    title: 'Page',
    values: [
      ['referrer', 'Came from', asText],
      ['load', 'Loaded in', describeLoad],
      ['clicked', 'Last clicked', asText],
    ],
  },
]

/**
 * What an item's context says about browser, screen and page, in groups without empty rows. Visitors can send any JSON:
 * what has not the form in which the widget writes it is left over.
 *
 * @returns the groups that have rows, and what is none of them
 */
export function describeContext(context: Context): { groups: ContextGroup[]; rest: Record<string, unknown> } {
  const rest = { ...context }
  const groups = knownValues.map(({ title, values }) => ({
    title,
    rows: values.flatMap(([key, name, read]) => {
      const value = context[key]
      const words = read(value, context)
      if (words !== undefined || isExpected(key, value)) delete rest[key]
      return words === undefined ? [] : [{ name, value: words }]
    }),
  }))
  return { groups: groups.filter(({ rows }) => rows.length > 0), rest: leaveEmptyOut(rest) }
}

/** Whether a value without words is of the form that the widget sends. */
function isExpected(key: string, value: unknown): boolean {
  if (['online', 'touch', 'saveData', 'reducedMotion'].includes(key)) return typeof value === 'boolean'
  if (key === 'zoom') return value === 1
  if (key === 'language') return typeof value === 'string'
  return key === 'system' && typeof value === 'object'
}

function leaveEmptyOut(values: Context): Record<string, unknown> {
  const isEmpty = (value: unknown) =>
    value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value)))
}

/** `Windows 11`, `macOS 15.1`, `Android 16 · Pixel 9`: Chromium's User-Agent Client Hints. */
function describeSystem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  // Narrowed to an object; each value is unknown.
  const { platform, platformVersion, model } = value as Record<string, unknown>
  const version = typeof platformVersion === 'string' ? formatVersion(platform, platformVersion) : ''
  const system = typeof platform === 'string' ? `${platform} ${version}`.trim() : ''
  const parts = [system, typeof model === 'string' ? model.trim() : ''].filter((part) => part !== '')
  return parts.length === 0 ? undefined : parts.join(' · ')
}

function formatVersion(platform: unknown, version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  // learn.microsoft.com/microsoft-edge/web-platform/how-to-detect-win11: 13 and above is Windows 11.
  if (platform === 'Windows') return major >= 13 ? '11' : major > 0 ? '10' : ''
  if (Number.isNaN(major) || major === 0) return ''
  return minor > 0 ? `${major}.${minor}` : String(major)
}

const hasLanguages = ({ languages }: Context) => Array.isArray(languages) && languages.length > 0

function listLanguages(value: unknown, first: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined
  const names = [first, ...value].filter((each): each is string => typeof each === 'string' && each !== '')
  return names.length === 0 ? undefined : [...new Set(names)].join(', ')
}

function readSize(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? formatSize(value) : undefined
}

/** `0.8 s (first byte after 56 ms, usable after 480 ms)`, from three times in milliseconds since the page was asked for. */
function describeLoad(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined
  const [firstByte, usable, loaded] = value.map((each) => (typeof each === 'number' && each > 0 ? each : undefined))
  const details = [
    firstByte !== undefined && `first byte after ${formatMs(firstByte)}`,
    usable !== undefined && `usable after ${formatMs(usable)}`,
  ].filter((part) => part !== false)
  if (loaded === undefined) return details.length === 0 ? undefined : details.join(', ')
  return details.length === 0 ? formatMs(loaded) : `${formatMs(loaded)} (${details.join(', ')})`
}

function formatMs(ms: number): string {
  return ms < 995 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
