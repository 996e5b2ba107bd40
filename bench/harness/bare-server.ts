import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Starts a bare server of Node that answers everything with a status, in a process of its own. */
export async function startBareServer(status: number): Promise<{ port: number; stop(): void }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'answer-everything.ts'), String(status)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  return { port: Number(line), stop: () => child.kill() }
}
