/* The duration of the log’s scrubber, beside its limits. Run: node bench/scrub.bench.ts */
import { createRandom, makeCleanLine, positives } from '#server/platform/scrub/corpus.ts'
import { scrubText } from '#server/platform/scrub/scrub-text.ts'

const lineLimitMicroseconds = 20
const megabyteLimitMs = 50

function makeText(length: number, next: () => string): string {
  let text = ''
  while (text.length < length) text += `${next()} `
  return text.slice(0, length)
}

/** The median of several rounds, in microseconds a call. */
function measure(text: string, calls: number): number {
  const rounds = Array.from({ length: 9 }, () => {
    const startedAt = process.hrtime.bigint()
    for (let call = 0; call < calls; call++) scrubText(text)
    return Number(process.hrtime.bigint() - startedAt) / 1000 / calls
  })
  return rounds.sort((a, b) => a - b)[4] ?? 0
}

const random = createRandom(3)
const everything = Object.values(positives).flat()
const clean = () => makeCleanLine(random)
const dirty = () => everything[random(everything.length)] ?? ''

measure(makeText(1024, clean), 5_000)
const rows: [string, string, string][] = [
  ['1 kB, clean', `${measure(makeText(1024, clean), 5_000).toFixed(1)} µs`, `${lineLimitMicroseconds} µs`],
  ['1 kB, only values to redact', `${measure(makeText(1024, dirty), 1_000).toFixed(1)} µs`, '-'],
]
const hostile = [
  '@',
  'a@',
  'a@a.',
  '1',
  '1 ',
  ':',
  '::1 ',
  'key',
  'key="',
  'bearer ',
  '://a:',
  '%41',
  '%40.a',
  '"',
  'sk-',
]
const longClean = makeText(1e6, clean)
rows.push(['1 MB, clean', `${(measure(longClean, 1) / 1000).toFixed(1)} ms`, `${megabyteLimitMs} ms`])
// Hostile lines must scale linearly: twice the length may take twice the time, noise aside.
for (const part of hostile) {
  const megabyteMs = measure(part.repeat(1e6 / part.length), 1) / 1000
  const growth = measure(part.repeat(2e6 / part.length), 1) / 1000 / megabyteMs
  rows.push([`1 MB of ${part}`, `${megabyteMs.toFixed(1)} ms`, `x${growth.toFixed(1)} at 2 MB`])
}
for (const [name, took, limit] of rows) console.log(name.padEnd(36), took.padStart(12), limit.padStart(14))
