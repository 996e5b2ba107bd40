import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
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

/** How distances are written (RFC 7932, section 4): which is shortest depends on the file, by some hundred bytes in a first load. */
const distanceCodes = [
  [0, 0],
  [1, 0],
  [1, 8],
  [2, 16],
  [3, 0],
  [3, 32],
] as const

async function compressBest(content: Buffer): Promise<Buffer> {
  const packed = await Promise.all(
    distanceCodes.map(([postfix, direct]) =>
      promisify(brotliCompress)(content, {
        params: { [constants.BROTLI_PARAM_NPOSTFIX]: postfix, [constants.BROTLI_PARAM_NDIRECT]: direct },
      }),
    ),
  )
  return packed.reduce((best, each) => (each.length < best.length ? each : best))
}

/** Leaves a .br and a .gz beside every text file, so that no request has to compress anything. */
async function compressFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && /\.(css|js|svg)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file)
      await writeFile(`${file}.br`, await compressBest(content))
      await writeFile(`${file}.gz`, await promisify(gzip)(content))
    }),
  )
}
