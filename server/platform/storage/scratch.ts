import { mkdtemp, opendir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const prefix = 'earshot-scratch-'

/** Gives `use` an empty folder of its own, until it settles. */
export async function withScratchFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), prefix))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Removes the folders of processes that crashed. */
export async function sweepScratchFolders(olderThanMs: number): Promise<void> {
  for await (const { name } of await opendir(tmpdir())) {
    if (!name.startsWith(prefix)) continue
    const folder = join(tmpdir(), name)
    // Another sweep may have removed it first.
    const changedAt = await stat(folder).then(
      (found) => found.mtimeMs,
      () => Number.POSITIVE_INFINITY,
    )
    if (changedAt < Date.now() - olderThanMs) await rm(folder, { recursive: true, force: true })
  }
}
