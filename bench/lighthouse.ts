/*
 * Lighthouse with its mobile preset on every public page: the four scores, of each the lowest of the rounds, beside their
 * limits. Lighthouse is loaded from the npm registry when it is run, because it weighs more than all other tools
 * together. Run: npm run bench -- lighthouse
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sitePages } from '#contract/site-pages.ts'
import { findChromium } from '../e2e/chromium.ts'
import { startProduct } from '../e2e/start-product.ts'
import { measuringFlags } from './harness/chromium.ts'
import { printTable } from './harness/table.ts'

const version = '13.5.0'
const rounds = Number(process.env.BENCH_ROUNDS ?? 1)
const limits = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 } as const
type Category = keyof typeof limits
const categories = Object.keys(limits) as Category[] // Their names are known.

interface Report {
  readonly runtimeError?: { readonly message: string }
  readonly categories: Readonly<
    Record<Category, { readonly score: number; readonly auditRefs: readonly { id: string; weight: number }[] }>
  >
  readonly audits: Readonly<Record<string, { readonly score: number | null; readonly title: string }>>
}

async function measure(url: string, folder: string): Promise<Report> {
  const file = join(folder, 'report.json')
  const args = [
    '--output=json',
    `--output-path=${file}`,
    '--quiet',
    `--chrome-flags=${measuringFlags.join(' ')} --headless=new`,
  ]
  await promisify(execFile)(
    'npm',
    ['exec', '--yes', `--package=lighthouse@${version}`, '--', 'lighthouse', url, ...args],
    {
      env: { ...process.env, CHROME_PATH: findChromium() },
      maxBuffer: 64 << 20,
    },
  )
  // Written by the version above.
  const report = JSON.parse(await readFile(file, 'utf8')) as Report
  if (report.runtimeError) throw new Error(`${url}: ${report.runtimeError.message}`)
  return report
}

const product = await startProduct()
const folder = await mkdtemp(join(tmpdir(), 'earshot-lighthouse-'))
try {
  const paths = [...Object.values(sitePages).map(({ path }) => path), ...(await findOthers(product.url))]
  const rows: string[][] = []
  const missed = new Set<string>()
  for (const path of paths) {
    const scores = Object.fromEntries(categories.map((name) => [name, 100])) as Record<Category, number> // One of each.
    for (let round = 0; round < rounds; round += 1) {
      const report = await measure(`${product.url}${path}`, folder)
      for (const name of categories) {
        const { score, auditRefs } = report.categories[name]
        scores[name] = Math.min(scores[name], Math.round(score * 100))
        for (const { id, weight } of auditRefs) {
          const audit = report.audits[id]
          if (weight > 0 && audit?.score !== null && (audit?.score ?? 1) < 0.9) missed.add(`${path}: ${audit?.title}`)
        }
      }
    }
    const isMet = categories.every((name) => scores[name] >= limits[name])
    rows.push([path, ...categories.map((name) => String(scores[name])), isMet ? 'yes' : 'no'])
  }
  rows.push(['at least', ...Object.values(limits).map(String), ''])
  process.stdout.write(
    `\nLighthouse ${version}, mobile preset, ${rounds === 1 ? 'one round' : `lowest of ${rounds} rounds`}\n\n`,
  )
  printTable(['page', 'performance', 'accessibility', 'best practices', 'SEO', 'met'], rows)
  for (const line of missed) process.stdout.write(`  below 0.9 on ${line}\n`)
} finally {
  await product.stop()
  await rm(folder, { recursive: true, force: true })
}

/** The newest post and the first guide, as the sitemap names them. */
async function findOthers(url: string): Promise<string[]> {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text()
  const addresses = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname)
  return ['/blog/', '/docs/guides/'].flatMap((start) => addresses.find((path) => path.startsWith(start)) ?? [])
}
