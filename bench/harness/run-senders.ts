import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SendResult, SendTask } from '../send-submissions.ts'

/** Sends submissions from a process of its own. */
export async function runSenders(task: Omit<SendTask, 'host'>): Promise<SendResult> {
  const script = join(import.meta.dirname, '..', 'send-submissions.ts')
  const whole: SendTask = { host: '127.0.0.1', ...task }
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(whole)])
  // As the script prints it.
  return JSON.parse(stdout) as SendResult
}
