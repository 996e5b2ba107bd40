import { extname, join } from 'node:path'
import type { AttachmentKind } from '#contract/files.ts'
import { runTool, ToolError } from '../run-tool.ts'
import type { Verdict } from './verdict.ts'

/** A file on this machine, and what its sender said of it. */
export interface JudgedFile {
  readonly path: string
  readonly kind: AttachmentKind
  readonly name: string | null
  readonly bytes: number
}

// The npm package has it as JavaScript.
const program = join(import.meta.dirname, `judge-process${extname(import.meta.filename)}`)
const timeoutMs = 60_000
const maxHeapMegabytes = 512

/**
 * Judges a file in a process of its own: strangers made it, and what reads it may be led to run for ever or to ask for
 * all memory there is. Then that process ends, and nothing else. (A thread would take the server with it.)
 *
 * @throws ToolError when the process could not do its work, e.g. because the disk cannot be read.
 */
export async function judgeApart(file: JudgedFile): Promise<Verdict> {
  const command = [process.execPath, `--max-old-space-size=${maxHeapMegabytes}`, program, JSON.stringify(file)]
  try {
    // Written by judge-process.ts.
    return JSON.parse(await runTool(command, { timeoutMs, signal: new AbortController().signal })) as Verdict
  } catch (error) {
    if (!(error instanceof ToolError) || !error.wasKilled) throw error
    return { refusal: 'Refused: looking at it takes too much time or memory.' }
  }
}
