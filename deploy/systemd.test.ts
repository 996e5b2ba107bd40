import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './image/read-dockerfile.ts'
import { findUnknownSettings, readAsServer, readDeployFile } from './settings-used.ts'

const unit = readDeployFile('systemd/earshot.service')
const file = join(import.meta.dirname, 'systemd/earshot.service')
const values = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value ?? '')
const analyze = ['/usr/bin/systemd-analyze', '/bin/systemd-analyze'].find(existsSync)

describe('the systemd unit', () => {
  it('sets only settings that exist, to values that the server reads', () => {
    const settings = Object.fromEntries(values('Environment').map((each) => each.split(/=(.*)/s).slice(0, 2)))
    expect(findUnknownSettings(Object.keys(settings))).toEqual([])
    expect(readAsServer(settings)).toMatchObject({ production: true, host: '127.0.0.1', dataDir: '/var/lib/earshot' })
    expect(values('StateDirectory')).toEqual(['earshot'])
  })

  it('runs the command of the installed package, not as root', () => {
    expect(values('User')).toEqual(['earshot'])
    expect(values('ExecStart')).toEqual(['/usr/bin/node /opt/earshot/node_modules/earshot/earshot.js start'])
    expect(existsSync(join(root, 'cli/package/earshot.js'))).toBe(true)
  })

  it('stops the keeper first, which needs its children until then', () => {
    expect(values('KillMode')).toEqual(['mixed'])
    expect(Number(values('TimeoutStopSec')[0])).toBeGreaterThanOrEqual(60)
  })

  it('allows what Earshot needs: priorities, its loopback, and code that Node compiles', () => {
    expect(values('SystemCallFilter').join(' ')).not.toContain('@resources')
    expect(values('MemoryDenyWriteExecute')).toEqual([])
    expect(values('PrivateNetwork')).toEqual([])
    expect(values('RestrictAddressFamilies')[0]?.split(' ').sort()).toEqual(['AF_INET', 'AF_INET6', 'AF_UNIX'])
  })

  it.skipIf(analyze === undefined)('is exposed by systemd’s own measure at most 1.5 of 10', () => {
    const output = execFileSync(analyze ?? '', ['security', '--offline=true', '--no-pager', file], { encoding: 'utf8' })
    expect(Number(output.match(/exposure level for \S+: ([\d.]+)/)?.[1])).toBeLessThanOrEqual(1.5)
  })
})
