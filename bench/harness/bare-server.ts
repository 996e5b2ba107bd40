import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface BareAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Base64. */
  readonly body: string
}

/** Starts a bare server of Node that gives everything the same answer, in a process of its own. */
export async function startBareServer(answer: BareAnswer): Promise<{ port: number; pid: number; stop(): void }> {
  const script = join(import.meta.dirname, '..', 'answer-everything.ts')
  const child = spawn(process.execPath, [script, JSON.stringify(answer)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = await once(createInterface(child.stdout), 'line')
  return { port: Number(line), pid: child.pid ?? 0, stop: () => child.kill() }
}
