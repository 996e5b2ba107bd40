import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rotateLog } from './rotate-log.ts'

it('rotates a log while another process appends to it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-log-'))
  const log = join(folder, 'postgres.log')
  rotateLog(log, 10)
  const open = openSync(log, 'a')
  writeSync(open, 'first\n')
  rotateLog(log, 10)
  expect(readFileSync(log, 'utf8')).toBe('first\n')
  writeSync(open, 'second line\n')
  rotateLog(log, 10)
  writeSync(open, 'third\n')
  closeSync(open)
  expect(readFileSync(`${log}.1`, 'utf8')).toBe('first\nsecond line\n')
  expect(readFileSync(log, 'utf8')).toBe('third\n')
  rmSync(folder, { recursive: true })
})
