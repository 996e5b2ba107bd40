/*
 * Makes fonts from the variable Inter of @fontsource, with the weights that the app uses, 400 to 600:
 *
 * - web/fonts/inter-basic.woff2, on every page: ASCII, the punctuation of our texts, the letters of western Europe. 16 kB.
 * - web/fonts/inter-latin.woff2: the rest of the package's Latin part, loaded where a page shows such a character.
 * - web/fonts/inter-regular.ttf and inter-semibold.ttf, of one weight each: what the server draws pictures of pages with.
 *
 * All keep kerning, marks and the features that the style sheet uses. The contextual alternates are left out: they
 * turn `->` into an arrow that the writer did not type, and are a fifth of the font.
 * Run after an update of Inter: node scripts/subset-font.ts
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import subsetFont from 'subset-font'

const root = join(import.meta.dirname, '..')
const source = join(root, 'node_modules', '@fontsource-variable', 'inter')

const ascii = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(0x20 + index)).join('')
const punctuation = '\u00a0·–—‘’“”…•→×−€©°¿¡«»'
const letters = 'ÄÖÜäöüßéèêëàâçîïôûùÉÀñáíóúåæøÅØ'
const basic = ascii + punctuation + letters

const keepFeatures = ['kern', 'tnum', 'cv05', 'cv08', 'ss03', 'ccmp', 'mark', 'mkmk', 'locl']

/** The ranges of the Latin part in the package's own style sheet, so that the other parts fit beside it. */
function readRanges(css: string): [number, number][] {
  const ranges = /\/\* inter-latin-wght-normal \*\/[^}]*unicode-range: ([^;]+);/.exec(css)?.[1]
  if (ranges === undefined) throw new Error('The style sheet of Inter has no Latin part.')
  return ranges.split(',').map((range) => {
    const [from = '', to = from] = range.replace('U+', '').split('-')
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
  })
}

async function writeFont(name: string, text: string): Promise<void> {
  const font = await subsetFont(await readFile(join(source, 'files', 'inter-latin-wght-normal.woff2')), text, {
    targetFormat: 'woff2',
    variationAxes: { wght: { min: 400, max: 600 } },
    keepFeatures,
  })
  await writeFile(join(root, 'web', 'fonts', name), font)
  process.stdout.write(`${name}: ${font.length} bytes\n`)
}

async function writeDrawnFont(name: string, weight: number, text: string): Promise<void> {
  const font = await subsetFont(await readFile(join(source, 'files', 'inter-latin-wght-normal.woff2')), text, {
    targetFormat: 'truetype',
    variationAxes: { wght: weight },
    keepFeatures,
  })
  await writeFile(join(root, 'web', 'fonts', name), font)
  process.stdout.write(`${name}: ${font.length} bytes\n`)
}

/** As `unicode-range` has it. */
function writeRanges(text: string): string {
  const points = [...new Set([...text].map((each) => each.codePointAt(0) ?? 0))].sort((a, b) => a - b)
  const runs: [number, number][] = []
  for (const point of points) {
    const last = runs.at(-1)
    if (last && last[1] === point - 1) last[1] = point
    else runs.push([point, point])
  }
  const write = (point: number) => point.toString(16).toUpperCase().padStart(4, '0')
  return runs.map(([from, to]) => (from === to ? `U+${write(from)}` : `U+${write(from)}-${write(to)}`)).join(', ')
}

const ranges = readRanges(await readFile(join(source, 'wght.css'), 'utf8'))
const latin = ranges
  .flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)))
  .join('')
await writeFont('inter-basic.woff2', basic)
await writeFont('inter-latin.woff2', [...latin].filter((each) => !basic.includes(each)).join(''))
await writeDrawnFont('inter-regular.ttf', 400, basic + latin)
await writeDrawnFont('inter-semibold.ttf', 600, basic + latin)
process.stdout.write(`unicode-range of inter-basic.woff2, for web/styles/app.css:\n${writeRanges(basic)}\n`)
