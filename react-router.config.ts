import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Config } from '@react-router/dev/config'
import { shortenManifest } from './scripts/web-build/shorten-manifest.ts'

export default {
  appDirectory: 'web',
  buildDirectory: 'build/web',
  ssr: true,
  // The whole map is small: sending it at once saves a round trip per navigation and an address on the server.
  routeDiscovery: { mode: 'initial' },
  // Loaders and fallbacks in files of their own would be two requests more for each page, of 60 bytes each.
  splitRouteModules: false,
  buildEnd: async ({ reactRouterConfig }) => {
    const clientFolder = join(reactRouterConfig.buildDirectory, 'client')
    await shortenManifest(clientFolder)
    await compressFiles(clientFolder)
  },
} satisfies Config

/** Leaves a .br and a .gz beside every text file, so that no request has to compress anything. */
async function compressFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && /\.(css|js|svg)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file)
      await writeFile(`${file}.br`, await promisify(brotliCompress)(content))
      await writeFile(`${file}.gz`, await promisify(gzip)(content))
    }),
  )
}
