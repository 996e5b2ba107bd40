import { Worker } from 'node:worker_threads'
import type { AttachmentKind } from '#contract/files.ts'
import type { Verdict } from './judge-content.ts'

/** A file on this machine, and what its sender said of it. */
export interface JudgedFile {
  readonly path: string
  readonly kind: AttachmentKind
  readonly name: string | null
  readonly bytes: number
}

const timeoutMs = 30_000
const maxHeapMegabytes = 512

/**
 * Judges a file in a thread of its own: strangers made it, and what reads it may be led to run for ever or to ask for
 * all memory there is. Then the thread ends, and nothing else.
 *
 * @throws Error when the thread ends for another reason, e.g. because the disk cannot be read.
 */
export function judgeApart(file: JudgedFile): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./judge-thread.ts', import.meta.url), {
      workerData: file,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
    })
    const timer = setTimeout(() => {
      resolve({ refusal: 'Refused: looking at it takes too long.' })
      void thread.terminate()
    }, timeoutMs)
    thread.once('message', (verdict: Verdict) => resolve(verdict))
    thread.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
        resolve({ refusal: 'Refused: looking at it takes too much memory.' })
      else reject(error)
    })
    thread.once('exit', (code) => {
      clearTimeout(timer)
      // Says nothing new to whoever has heard already.
      reject(new Error(`the thread that judges files ended with ${code}`))
    })
  })
}
