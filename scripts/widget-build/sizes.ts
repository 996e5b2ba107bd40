import { createHash } from 'node:crypto'
import { brotliCompressSync } from 'node:zlib'
import { defaultWidgetSettings, type LoaderSettings } from '#contract/widget-settings.ts'

/** The output of a build: code by stage, texts (JSON) by language. */
export interface Built {
  readonly loader: string
  readonly stages: Readonly<Record<string, string>>
  readonly texts: Readonly<Record<string, string>>
}

/** Keys compress by some bytes more or less: the budget is for the worst of so many. */
const triedKeys = 50

/** The loader as a page gets it from a project with default settings, with a key that makes it large. */
function fillLoader(loader: string): string {
  const { launcher, color } = defaultWidgetSettings
  const codes = Array.from({ length: triedKeys }, (_, index) => {
    const random = createHash('sha256').update(`${index}`).digest()
    const settings: LoaderSettings = {
      key: `wk_${random.toString('base64url').slice(0, 22)}`,
      build: random.toString('hex').slice(44, 54),
      version: random.toString('hex').slice(54, 62),
      hosts: ['example.com'],
      style: `right:${launcher.offset}px;bottom:${launcher.offset}px;color:#fff;background:${color}`,
    }
    const code = loader.replace('"__EARSHOT_SETTINGS__"', () => JSON.stringify(settings))
    return { code, bytes: brotliCompressSync(code).length }
  })
  return codes.sort((one, other) => other.bytes - one.bytes)[0]?.code ?? loader
}

interface Row {
  readonly name: string
  readonly parts: readonly string[]
  /** Maximum Brotli bytes of a build. */
  readonly budget?: number
  /** Brotli bytes that we aim for; the budget prevents growth until then. */
  readonly target?: number
}

function listRows({ loader, stages, texts }: Built): Row[] {
  const part = (name: string) => stages[name] ?? ''
  const main = ['panel', 'actions', 'tools', 'media', 'annotate']
  const text = ['panel', 'actions']
  return [
    {
      name: 'a text: loader, panel, actions, English',
      parts: [fillLoader(loader), ...text.map(part), texts.en ?? ''],
      budget: 19_456,
    },
    { name: `loader, worst of ${triedKeys} keys`, parts: [fillLoader(loader)], budget: 2048 },
    { name: main.join(' + '), parts: main.map(part), budget: 26_176, target: 12_288 },
    ...main.map((name) => ({
      name: `  ${name}`,
      parts: [part(name)],
      // All code that a click waits for, besides the texts.
      ...(name === 'panel' && { budget: 8480 }),
    })),
    { name: 'capture', parts: [part('capture')], budget: 4992, target: 4608 },
    { name: 'point: element, real pixels', parts: [part('point')] },
    { name: 'rare: what few pages need in a picture', parts: [part('rare')] },
    { name: 'snapdom, a fallback', parts: [part('snapdom')] },
    { name: 'proof, when asked for', parts: [part('proof')] },
    { name: 'replay, opt-in', parts: [part('replay')], budget: 21_504 },
    ...Object.entries(texts).map(([locale, json]) => ({ name: `texts ${locale}`, parts: [json], budget: 2176 })),
  ]
}

/** Prints each stage's size. Returns whether all budgets are met. */
export function printSizes(built: Built): boolean {
  let fits = true
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  console.log(`${'stage'.padEnd(38)}${'raw'.padStart(10)}${'brotli'.padStart(10)}${'budget'.padStart(10)}`)
  for (const { name, parts, budget, target } of listRows(built)) {
    const raw = sum(parts.map((text) => Buffer.byteLength(text)))
    const brotli = sum(parts.map((text) => (text === '' ? 0 : brotliCompressSync(text).length)))
    const over = budget !== undefined && brotli > budget
    if (over) fits = false
    const cells = [raw, brotli, budget ?? ''].map((cell) => `${cell}`.padStart(10)).join('')
    const short = target !== undefined && brotli > target ? `   ${brotli - target} over the target of ${target}` : ''
    console.log(`${name.padEnd(38)}${cells}${over ? `   ${brotli - budget} over budget` : short}`)
  }
  return fits
}
