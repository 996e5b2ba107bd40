import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'

/** A program of the cluster, which writes into a log of its own. */
export interface Program {
  readonly child: ChildProcess
  readonly ended: Promise<void>
  stop(signal?: NodeJS.Signals): Promise<void>
}

export interface ProgramOptions {
  readonly folder: string
  readonly name: string
  readonly env?: Readonly<Record<string, string>>
  readonly user?: { uid: number; gid: number } | undefined
}

const patienceMs = 15_000

/** Starts a program in the folder. Whatever still runs is killed when this process exits. */
export function startProgram(command: string, args: readonly string[], options: ProgramOptions): Program {
  const { folder, name, env = {}, user } = options
  const log = openSync(join(folder, `${name}.log`), 'a')
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', HOME: folder, ...env },
    stdio: ['ignore', log, log],
    ...user,
  })
  closeSync(log)
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const killAtExit = () => child.kill('SIGKILL')
  process.once('exit', killAtExit)
  ended.then(() => process.off('exit', killAtExit))
  return {
    child,
    ended,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
      await ended
      clearTimeout(timer)
    },
  }
}
