import { execFileSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'

/*
 * Builds the npm packages of widget/sdk into build/sdk (`--out folder`: elsewhere; `--only name`: one of them), each ready
 * for `npm publish`:
 * code as one ES module, declarations, licence.
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const { values: options } = parseArgs({
  options: { out: { type: 'string', default: join(root, 'build/sdk') }, only: { type: 'string' } },
})
const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc')

async function buildPackage(name: string): Promise<void> {
  const source = join(root, 'widget/sdk', name)
  const folder = join(resolve(options.out), name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await build({
    entryPoints: [join(source, 'src/index.ts')],
    outfile: join(folder, 'dist/index.js'),
    bundle: true,
    packages: 'external',
    // The other package stays external, in spite of the editor's path settings.
    tsconfigRaw: '{}',
    format: 'esm',
    target: 'es2020',
    charset: 'utf8',
    // Hooks run in browsers: frameworks with server rendering need the directive.
    ...(name === 'react' && { banner: { js: "'use client'" } }),
  })
  await writeDeclarations(source, folder)
  for (const file of ['package.json', 'README.md']) await cp(join(source, file), join(folder, file))
  await cp(join(root, 'widget/LICENSE'), join(folder, 'LICENSE'))
}

async function writeDeclarations(source: string, folder: string): Promise<void> {
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      lib: ['ES2022', 'DOM', 'DOM.Iterable'],
      typeRoots: [join(root, 'node_modules/@types')],
      types: ['react'],
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: join(source, 'src'),
      outDir: join(folder, 'dist'),
      // React's declarations are built from those of the first package.
      paths: { '@earshot/widget': [join(folder, '../widget/dist/index.d.ts')] },
    },
    include: [join(source, 'src')],
    exclude: [],
  }
  const path = join(folder, 'tsconfig.json')
  await writeFile(path, JSON.stringify(config))
  execFileSync(process.execPath, [tsc, '-p', path], { stdio: 'inherit' })
  await rm(path)
  await nameDeclarations(join(folder, 'dist'))
}

/** Declarations import each other by source paths, which consumers don't have. */
async function nameDeclarations(folder: string): Promise<void> {
  for (const file of await readdir(folder)) {
    if (!file.endsWith('.d.ts')) continue
    const path = join(folder, file)
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(/(['"]\.\/[\w-]+)\.ts(['"])/g, '$1.js$2'))
  }
}

/** n8n loads CommonJS, and finds a class by the name of its file. */
async function buildN8n(): Promise<void> {
  const source = join(root, 'widget/sdk/n8n')
  const folder = join(resolve(options.out), 'n8n')
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, 'dist/nodes'), { recursive: true })
  const files = {
    'nodes/Earshot.node': 'node.ts',
    'nodes/EarshotTrigger.node': 'trigger.ts',
    'credentials/EarshotApi.credentials': 'credentials.ts',
    'credentials/EarshotSigningApi.credentials': 'credentials.ts',
  }
  await build({
    entryPoints: Object.entries(files).map(([out, file]) => ({ in: join(source, 'src', file), out })),
    outdir: join(folder, 'dist'),
    bundle: true,
    tsconfigRaw: '{}',
    platform: 'node',
    format: 'cjs',
    target: 'node18',
    charset: 'utf8',
  })
  await cp(join(root, 'web/public/favicon.svg'), join(folder, 'dist/nodes/earshot.svg'))
  // The source is ES modules, the package is not.
  const { type: _, ...manifest } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'))
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await cp(join(source, 'README.md'), join(folder, 'README.md'))
  await cp(join(root, 'widget/LICENSE'), join(folder, 'LICENSE'))
}

if (!options.only || options.only === 'n8n') await buildN8n()
for (const name of ['widget', 'react', 'client']) if (!options.only || options.only === name) await buildPackage(name)
