import { hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'

const fileName = 'instance-secret'
const secretBytes = 32

/** What this instance signs short-lived things with. Never used itself: each purpose has a key of its own. */
export interface InstanceSecret {
  /** 32 bytes that belong to this purpose alone (HKDF, RFC 5869). */
  deriveKey(purpose: string): Buffer
}

/**
 * The configured secret, or the one in the data folder, made there at the first start. Several processes may start at
 * once: all of them end up with the same.
 *
 * @throws Error with one clear sentence when the file can't be read or is damaged.
 */
export async function loadInstanceSecret(options: {
  dataDir: string
  configured: string | null
}): Promise<InstanceSecret> {
  const secret = options.configured ?? (await readOrCreate(join(options.dataDir, fileName)))
  return { deriveKey: (purpose) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)) }
}

async function readOrCreate(path: string): Promise<string> {
  const found = await read(path)
  if (found !== undefined) return found
  await createOnce(path, `${randomBytes(secretBytes).toString('base64url')}\n`)
  const settled = await read(path)
  if (settled === undefined) throw new Error(`${path} vanished while it was being made`)
  return settled
}

async function read(path: string): Promise<string | undefined> {
  try {
    const secret = (await readFile(path, 'utf8')).trim()
    if (Buffer.from(secret, 'base64url').length < secretBytes) {
      throw new Error('it is damaged. Restore it from a backup, or delete it, which ends all addresses of files')
    }
    return secret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`${path} can't be read: ${(error as Error).message}`)
  }
}

/** Creates the file with its whole content, or leaves alone what another process created first. */
async function createOnce(path: string, content: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true })
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
}
