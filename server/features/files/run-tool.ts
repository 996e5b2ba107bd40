import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'

export interface ToolRun {
  readonly timeoutMs: number
  /** Aborted: the tool is killed. */
  readonly signal: AbortSignal
  /** Is given the output as it comes; without it, the output is returned, up to a megabyte. */
  readonly onOutput?: (chunk: Buffer) => void
}

/** How a tool ended that did not do its work: with a code, by a signal, or because its time was up. */
export class ToolError extends Error {
  /** It did not end by itself: its time was up, or it had no memory left. */
  readonly wasKilled: boolean

  constructor(message: string, wasKilled = false) {
    super(message)
    this.wasKilled = wasKilled
  }
}

const maxOutputBytes = 1024 * 1024
const maxErrorCharacters = 500
// Below whatever answers people.
const niceness = 10

/**
 * Runs a program without a shell, in the background, for a limited time.
 *
 * @throws ToolError when it fails or takes too long; AbortError when the signal ends it.
 */
export function runTool(command: readonly string[], run: ToolRun): Promise<string> {
  const [file = '', ...args] = command
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      // It needs nothing that we know: no settings, no passwords.
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
    })
    if (child.pid !== undefined) lowerPriority(child.pid)
    let output = ''
    let errors = ''
    let isLate = false
    const kill = () => child.kill('SIGKILL')
    const timer = setTimeout(() => {
      isLate = true
      kill()
    }, run.timeoutMs)
    run.signal.addEventListener('abort', kill, { once: true })
    if (run.signal.aborted) kill()
    child.stdout.on('data', (chunk: Buffer) => {
      if (run.onOutput) run.onOutput(chunk)
      else if (output.length < maxOutputBytes) output += chunk.toString('utf8')
    })
    child.stderr.on('data', (chunk: Buffer) => {
      if (errors.length < maxErrorCharacters) errors += chunk.toString('utf8')
    })
    const settle = (finish: () => void) => {
      clearTimeout(timer)
      run.signal.removeEventListener('abort', kill)
      finish()
    }
    child.once('error', (error) => settle(() => reject(new ToolError(`${file} cannot be run: ${error.message}`))))
    child.once('close', (code, signal) =>
      settle(() => {
        if (code === 0) resolve(output)
        else if (run.signal.aborted) reject(run.signal.reason)
        else if (isLate) reject(new ToolError(`${file} took longer than ${run.timeoutMs} ms`, true))
        else
          reject(
            new ToolError(
              `${file} ended with ${code ?? signal}: ${errors.slice(0, maxErrorCharacters).trim()}`,
              code === null,
            ),
          )
      }),
    )
  })
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, niceness)
  } catch {
    // It has ended already, or this system knows no priorities.
  }
}
