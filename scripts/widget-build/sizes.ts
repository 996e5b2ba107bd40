import { brotliCompressSync } from 'node:zlib'
import { defaultWidgetSettings, type LoaderSettings } from '#contract/widget-settings.ts'

/** The output of a build: code by stage, texts (JSON) by language. */
export interface Built {
  readonly loader: string
  readonly stages: Readonly<Record<string, string>>
  readonly texts: Readonly<Record<string, string>>
}

/** The loader as a page gets it from a project with default settings. */
function fillLoader(loader: string): string {
  const { launcher, color, privacy } = defaultWidgetSettings
  const settings: LoaderSettings = {
    key: 'wk_Qm9yZGVyIGNvbGxpZSBhbG',
    build: 'a1b2c3d4e5',
    version: 'f6a7b8c9',
    hosts: ['example.com'],
    style: `right:${launcher.offset}px;bottom:${launcher.offset}px;color:#fff;background:${color}`,
    storage: privacy.storage,
    console: privacy.console,
    network: privacy.network,
  }
  return loader.replace('"__EARSHOT_SETTINGS__"', () => JSON.stringify(settings))
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
  const main = ['panel', 'actions', 'transport', 'annotate', 'media']
  return [
    { name: 'loader, filled in', parts: [fillLoader(loader)], budget: 2048 },
    { name: main.join(' + '), parts: main.map(part), budget: 23_936, target: 12_288 },
    ...main.map((name) => ({
      name: `  ${name}`,
      parts: [part(name)],
      // All code that a click waits for, besides the texts.
      ...(name === 'panel' && { budget: 8064 }),
    })),
    { name: 'capture', parts: [part('capture')], budget: 5120, target: 4096 },
    { name: 'point: element, real pixels', parts: [part('point')] },
    { name: 'snapdom, a fallback', parts: [part('snapdom')] },
    { name: 'proof, when asked for', parts: [part('proof')] },
    { name: 'replay, opt-in', parts: [part('replay')], budget: 21_504 },
    ...Object.entries(texts).map(([locale, json]) => ({ name: `texts ${locale}`, parts: [json], budget: 2048 })),
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
