import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, watch, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { type BuildOptions, build, type Plugin, transform } from 'esbuild'

/*
 * Builds the widget's download stages into build/widget: loader.js (a classic script), transport-<hash>.js and
 * panel-<hash>.js (modules, also brotli-compressed as .br), and manifest.json, from which the server learns their
 * names. Prints their sizes and fails beyond the budgets. `--watch` builds again after each change.
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const outDir = join(root, 'build/widget')

/** Brotli bytes. The panel cannot send without the transport, so the two share one budget. */
const budgets = { loader: 3072, panel: 15_360 }

/**
 * Stages of earlier builds stay for as long as a browser may still hold a loader that names them. While watching there
 * are no such browsers, and many builds.
 */
const isWatching = process.argv.includes('--watch')
const keepMs = isWatching ? 0 : 30 * 24 * 3_600_000

/** The engines that the stages are written for; style sheets are lowered to them too. */
const target = ['es2022', 'chrome100', 'firefox101', 'safari15.4']

/** Bundles style sheets as minified text, since they become constructed sheets. */
const cssText: Plugin = {
  name: 'css-text',
  setup(builder) {
    builder.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true, target })
      return { contents: code.trim(), loader: 'text' }
    })
  },
}

async function bundle(entry: string, options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    target,
    charset: 'utf8',
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [cssText],
    logLevel: 'warning',
    ...options,
  })
  const text = outputFiles?.[0]?.text
  if (text === undefined) throw new Error(`${entry} gave no output`)
  return text
}

function hashedName(name: string, code: string): string {
  return `${name}-${createHash('sha256').update(code).digest('hex').slice(0, 10)}.js`
}

/** Throws unless the server can replace exactly one literal in the loader. */
function checkPlaceholder(loader: string): void {
  const count = loader.split('__EARSHOT_SETTINGS__').length - 1
  if (count !== 1 || !loader.includes('"__EARSHOT_SETTINGS__"')) {
    throw new Error(`loader.js must hold "__EARSHOT_SETTINGS__" exactly once, found ${count}`)
  }
}

/** Builds all stages. Returns whether they keep to their budgets. */
async function buildWidget(): Promise<boolean> {
  const [transport, panel] = await Promise.all([
    bundle('widget/transport/transport.ts', { format: 'esm' }),
    bundle('widget/panel/panel.tsx', { format: 'esm' }),
  ])
  const transportFile = hashedName('transport', transport)
  const panelFile = hashedName('panel', panel)
  const loader = await bundle('widget/loader/loader.ts', {
    format: 'iife',
    define: { transportFile: JSON.stringify(transportFile) },
  })
  checkPlaceholder(loader)

  const manifest = { loader: 'loader.js', panel: panelFile, transport: transportFile }
  const files = {
    [transportFile]: transport,
    [panelFile]: panel,
    'loader.js': loader,
    'manifest.json': `${JSON.stringify(manifest, null, 2)}\n`,
    // Stages never change, so they are compressed once, here.
    [`${transportFile}.br`]: brotliCompressSync(transport),
    [`${panelFile}.br`]: brotliCompressSync(panel),
  }
  await mkdir(outDir, { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    // Renamed into place, so that a running server never reads half a file.
    await writeFile(join(outDir, `${name}.part`), content)
    await rename(join(outDir, `${name}.part`), join(outDir, name))
  }
  for (const name of await readdir(outDir)) {
    const path = join(outDir, name)
    if (!(name in files) && Date.now() - (await stat(path)).mtimeMs >= keepMs) await rm(path)
  }

  return printSizes([
    { name: 'loader', code: [loader], budget: budgets.loader },
    { name: 'panel + transport', code: [panel, transport], budget: budgets.panel },
    { name: '  panel', code: [panel] },
    { name: '  transport', code: [transport] },
  ])
}

function printSizes(rows: { name: string; code: string[]; budget?: number }[]): boolean {
  let fits = true
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  console.log(`${'stage'.padEnd(20)}${'raw'.padStart(10)}${'brotli'.padStart(10)}${'budget'.padStart(10)}`)
  for (const { name, code, budget } of rows) {
    const raw = sum(code.map((text) => Buffer.byteLength(text)))
    const brotli = sum(code.map((text) => brotliCompressSync(text).length))
    const over = budget !== undefined && brotli > budget
    if (over) fits = false
    const cells = [raw, brotli, budget ?? ''].map((cell) => `${cell}`.padStart(10)).join('')
    console.log(`${name.padEnd(20)}${cells}${over ? `   ${brotli - budget} over budget` : ''}`)
  }
  return fits
}

async function watchAndBuild(): Promise<void> {
  let waiting: NodeJS.Timeout | undefined
  for await (const _change of watch(join(root, 'widget'), { recursive: true })) {
    clearTimeout(waiting)
    waiting = setTimeout(() => buildWidget().catch((error) => console.error(error)), 100)
  }
}

const fits = await buildWidget()
if (isWatching) await watchAndBuild()
else if (!fits) process.exitCode = 1
