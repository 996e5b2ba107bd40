import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, watch, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { widgetLocales } from '#contract/widget-settings.ts'
import { bundleStage } from './widget-build/bundle-stage.ts'
import { type Built, printSizes } from './widget-build/sizes.ts'

/*
 * Builds the widget into build/widget: loader.js (a classic script, with a placeholder for a project's settings), the
 * stages as modules in a folder named by a hash over all of them, the texts as JSON beside them, and manifest.json with
 * the folder's name for the server. Prints sizes.
 *
 * `--watch` builds again after each change; `--out folder` builds elsewhere; `--check` fails beyond the budgets.
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const { values: options } = parseArgs({
  options: {
    watch: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    out: { type: 'string', default: join(root, 'build/widget') },
  },
})
const outDir = resolve(options.out)

/** Modules that a page loads when it needs them. */
const stages = {
  panel: 'widget/panel/panel.tsx',
  actions: 'widget/actions/actions.ts',
  tools: 'widget/tools/tools.ts',
  annotate: 'widget/annotate/annotate.ts',
  media: 'widget/media/media.ts',
  capture: 'widget/capture/capture.ts',
  point: 'widget/capture/point.ts',
  rare: 'widget/capture/rare.ts',
  snapdom: 'widget/capture/snapdom.ts',
  replay: 'widget/replay/replay.ts',
  'replay-view': 'widget/replay/view/replay-view.ts',
  proof: 'widget/proof/proof.ts',
} as const

/**
 * Folders of earlier builds stay as long as a browser may have a cached loader that names them. With `--watch` there
 * are no such browsers, and many builds.
 */
const keepMs = options.watch ? 0 : 30 * 24 * 3_600_000

/** Throws unless the server can replace exactly one literal in the loader. */
function checkPlaceholder(loader: string): void {
  if (loader.split('"__EARSHOT_SETTINGS__"').length !== 2 || loader.split('__EARSHOT_SETTINGS__').length !== 2) {
    throw new Error('loader.js must contain "__EARSHOT_SETTINGS__" exactly once')
  }
}

async function readTexts(locale: string): Promise<Record<string, string> | undefined> {
  const path = join(root, `widget/locales/${locale}.ts`)
  if (!existsSync(path)) return undefined
  // The URL differs with each change, or a watching build would import its cached first copy.
  const { mtimeMs } = await stat(path)
  // Each locale file exports `strings`.
  const { strings } = (await import(`${pathToFileURL(path).href}?${mtimeMs}`)) as { strings: Record<string, string> }
  return strings
}

async function buildAll(): Promise<Built> {
  // `Object.keys` gives strings; these are all stages.
  const names = (Object.keys(stages) as (keyof typeof stages)[]).filter((name) => existsSync(join(root, stages[name])))
  const [loader, ...modules] = await Promise.all([
    bundleStage(root, 'widget/loader/loader.ts', 'iife'),
    ...names.map((name) => bundleStage(root, stages[name], 'esm')),
  ])
  checkPlaceholder(loader)
  const texts: Record<string, string> = {}
  for (const locale of widgetLocales) {
    const strings = await readTexts(locale)
    if (strings) texts[locale] = JSON.stringify(strings)
  }
  return { loader, stages: Object.fromEntries(names.map((name, index) => [name, modules[index] ?? ''])), texts }
}

/** The sample pages that show the widget in its settings, and to those who try it out. */
async function buildSamplePages(): Promise<Record<string, string>> {
  const read = (name: string) => readFile(join(root, 'widget/preview', name), 'utf8')
  return {
    'trial.html': (await read('preview.html')).replace('BUILD/preview.js', 'BUILD/trial.js'),
    'trial.js': await bundleStage(root, 'widget/trial/trial.ts', 'iife'),
    'preview.html': await read('preview.html'),
    'preview.css': await read('preview.css'),
    'preview.js': await bundleStage(root, 'widget/preview/preview.ts', 'iife'),
  }
}

/** Builds everything. Returns whether all budgets are met. */
async function buildWidget(): Promise<boolean> {
  const built = await buildAll()
  const samplePages = await buildSamplePages()
  const build = createHash('sha256')
    .update(JSON.stringify([built, samplePages]))
    .digest('hex')
    .slice(0, 10)
  const files = new Map<string, string | Buffer>()
  for (const [name, content] of Object.entries(samplePages)) {
    files.set(`${build}/${name}`, content.replaceAll('BUILD', `a/${build}`))
  }
  for (const [name, code] of Object.entries(built.stages)) {
    files.set(`${build}/${name}.js`, code)
    // Stages never change, so they are compressed once, here.
    files.set(`${build}/${name}.js.br`, brotliCompressSync(code))
  }
  for (const [locale, json] of Object.entries(built.texts)) files.set(`${build}/locales/${locale}.json`, json)
  files.set('loader.js', built.loader)
  // Last, because it names all the others.
  files.set('manifest.json', `${JSON.stringify({ loader: 'loader.js', build }, null, 2)}\n`)

  for (const [name, content] of files) {
    const path = join(outDir, name)
    await mkdir(dirname(path), { recursive: true })
    // Renamed into place, so that a running server never reads half a file.
    await writeFile(`${path}.part`, content)
    await rename(`${path}.part`, path)
  }
  await removeOldBuilds(build)
  return printSizes(built)
}

async function removeOldBuilds(present: string): Promise<void> {
  for (const name of await readdir(outDir)) {
    if ([present, 'loader.js', 'manifest.json'].includes(name)) continue
    const path = join(outDir, name)
    if (Date.now() - (await stat(path)).mtimeMs >= keepMs) await rm(path, { recursive: true })
  }
}

async function watchAndBuild(): Promise<void> {
  let waiting: NodeJS.Timeout | undefined
  for await (const _change of watch(join(root, 'widget'), { recursive: true })) {
    clearTimeout(waiting)
    waiting = setTimeout(() => buildWidget().catch((error) => console.error(error)), 100)
  }
}

const fits = await buildWidget()
if (options.watch) await watchAndBuild()
else if (!fits && options.check) process.exitCode = 1
