import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stopLeftover } from './leftover.ts'

let cluster: string
let parent: ChildProcess | undefined
beforeEach(() => {
  cluster = mkdtempSync(join(tmpdir(), 'earshot-leftover-'))
})
afterEach(() => {
  parent?.kill('SIGKILL')
  rmSync(cluster, { recursive: true, force: true })
})

/** A process that has ended and whose parent, which lives, never asks for its end. */
async function startZombie(): Promise<number> {
  parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const pid = await new Promise<number>((resolve) => parent?.stdout?.once('data', (data) => resolve(Number(data))))
  const state = () => / (\w) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8').split(')')[1] ?? '')?.[1]
  await expect.poll(state).toBe('Z')
  return pid
}

describe('stopLeftover', () => {
  it.skipIf(process.platform !== 'linux')(
    'takes over the lock file of a killed postmaster that was not reaped, and keeps the rest of it',
    async () => {
      const rest = `\n${cluster}\n1763800000\n5432\n\n127.0.0.1\n  1234567   42\nready   \n`
      writeFileSync(join(cluster, 'postmaster.pid'), `${await startZombie()}${rest}`)
      await stopLeftover(cluster)
      expect(readFileSync(join(cluster, 'postmaster.pid'), 'utf8')).toBe(`${process.pid}${rest}`)
    },
  )

  it('leaves alone a program that got the pid of a killed postmaster', async () => {
    parent = spawn('sleep', ['60'], { stdio: 'ignore' })
    writeFileSync(join(cluster, 'postmaster.pid'), `${parent.pid}\n${cluster}\n1763800000\n5432\n`)
    await stopLeftover(cluster)
    expect(readFileSync(join(cluster, 'postmaster.pid'), 'utf8')).toMatch(new RegExp(`^${process.pid}\n`))
    expect([parent.exitCode, parent.signalCode]).toEqual([null, null])
  })
})
