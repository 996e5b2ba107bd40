import { randomBytes } from 'node:crypto'
import { link, mkdir, open, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasErrorCode } from '../read-error.ts'

/*
 * Files that only their owner may read, written so that no reader ever finds half of one. Several processes may start
 * on the same folder at once.
 */

/** Creates the file with its whole content, or keeps the one that another process created first. */
export async function createSecretFile(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const draft = await writeDraft(path, content)
  try {
    await link(draft, path)
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
  } finally {
    await unlink(draft)
  }
}

/** Replaces the file atomically: a concurrent reader gets the old content or the new one, never a mix. */
export async function replaceSecretFile(path: string, content: string): Promise<void> {
  const draft = await writeDraft(path, content)
  try {
    await rename(draft, path)
  } catch (error) {
    await unlink(draft)
    throw error
  }
}

async function writeDraft(path: string, content: string): Promise<string> {
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return draft
}
