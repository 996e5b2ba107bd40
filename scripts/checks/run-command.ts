import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/**
 * Runs a command of an installed package from the repository's root, under the Node of this process. Its output is
 * printed immediately with `show`, else only on failure.
 *
 * @throws Error when it exits with anything but 0
 */
export async function runCommand(
  line: readonly string[],
  { show = false, env = {} }: { show?: boolean; env?: Record<string, string> } = {},
): Promise<void> {
  const [command = '', ...args] = line
  const path = [dirname(process.execPath), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  const child = spawn(command, args, {
    cwd: root,
    stdio: show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env, PATH: path },
    shell: process.platform === 'win32',
  })
  const output: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk))
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  process.once('SIGTERM', forward)
  const ending = await new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code, signal) => resolve(code === 0 ? '' : (signal ?? `exit code ${code}`)))
  })
  process.off('SIGTERM', forward)
  if (ending === '') return
  process.stderr.write(Buffer.concat(output))
  throw new Error(`${line.join(' ')}: ${ending}`)
}
