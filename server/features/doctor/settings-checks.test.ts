import { chmod, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judgeConnections, judgeVersion } from './checks/database.ts'
import { judgeChecksums, judgeDurability } from './checks/database-upkeep.ts'
import { judgeLag } from './checks/replica.ts'
import { checks } from './checks.ts'
import { examine, type Sickness } from './examined-instance.ts'

/* Checks that need settings, files and facts of the machine alone: each is broken and repaired. */

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'earshot-doctor-'))
})
afterAll(() => rm(dataDir, { recursive: true }))

const production = { NODE_ENV: 'production', APP_URL: 'https://feedback.earshot.dev' }
const google = {
  ...production,
  GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'on',
  GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: 'client',
  GOTRUE_EXTERNAL_GOOGLE_SECRET: 'secret',
}
const stripe = { ...production, STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
const fromEnvironment = { sources: { STRIPE_SECRET_KEY: 'file', SMTP_URL: 'file' } } as const
const seen = {
  host: 'feedback.earshot.dev',
  protocol: 'https',
  ip: '203.0.113.7',
  remoteAddress: '10.0.0.1',
  forwardedFor: '203.0.113.7',
}
const proxied = { ...production, TRUST_PROXY: '10.0.0.0/8' }
const disk = { freeBytes: 50e9, totalBytes: 100e9, freeFiles: 900, totalFiles: 1000 }

interface Case {
  readonly broken: Sickness
  readonly status: 'failed' | 'warning'
  readonly repaired: Sickness
  readonly says: RegExp
}

const cases: Readonly<Record<string, Case>> = {
  'app-url-https': {
    broken: { env: { ...production, APP_URL: 'http://feedback.earshot.dev' } },
    status: 'failed',
    repaired: { env: production },
    says: /http:\/\//,
  },
  'app-url-public': {
    broken: { env: { ...production, APP_URL: 'https://localhost' } },
    status: 'failed',
    repaired: { env: production },
    says: /localhost/,
  },
  'app-url-host': {
    broken: { env: production, seen: { ...seen, host: 'old.earshot.dev' } },
    status: 'failed',
    repaired: { env: production, seen },
    says: /old\.earshot\.dev/,
  },
  'site-url': {
    broken: { env: { ...production, GOTRUE_SITE_URL: 'https://other.earshot.dev' } },
    status: 'warning',
    repaired: { env: production },
    says: /other\.earshot\.dev/,
  },
  'proxy-headers': {
    broken: { env: production, seen: { ...seen, ip: '10.0.0.1' } },
    status: 'failed',
    repaired: { env: proxied, seen },
    says: /10\.0\.0\.1 is not in TRUST_PROXY/,
  },
  'trust-proxy': {
    broken: { env: { TRUST_PROXY: '0.0.0.0/0' } },
    status: 'failed',
    repaired: { env: { TRUST_PROXY: '10.0.0.1' } },
    says: /0\.0\.0\.0\/0/,
  },
  'instance-secret': {
    broken: { env: { INSTANCE_SECRET: 'change-me-change-me-change-me-change-me' } },
    status: 'failed',
    repaired: { env: { INSTANCE_SECRET: '3f9a1c5be2d84760a8c0e1b7d6f2945c' } },
    says: /example/,
  },
  'jwt-secret': {
    broken: { env: { GOTRUE_JWT_SECRET: 'super-secret-jwt-token-with-at-least-32-characters-long' } },
    status: 'failed',
    repaired: {},
    says: /forged/,
  },
  autoconfirm: {
    broken: { env: { ...production, GOTRUE_MAILER_AUTOCONFIRM: 'on' } },
    status: 'warning',
    repaired: { env: production },
    says: /not confirmed/,
  },
  'private-hosts': {
    broken: { env: { OUTBOUND_ALLOWED_HOSTS: '10.0.0.0/8' } },
    status: 'warning',
    repaired: { env: { OUTBOUND_ALLOWED_HOSTS: '10.0.0.7' } },
    says: /10\.0\.0\.0\/8/,
  },
  'log-level': {
    broken: { env: { ...production, LOG_LEVEL: 'trace' } },
    status: 'warning',
    repaired: { env: production },
    says: /trace/,
  },
  'production-mode': {
    broken: { env: { APP_URL: 'https://feedback.earshot.dev' } },
    status: 'failed',
    repaired: { env: production },
    says: /stand-ins/,
  },
  'node-version': {
    broken: { machine: { nodeVersion: '22.1.0' } },
    status: 'warning',
    repaired: {},
    says: /22\.1\.0/,
  },
  'node-memory': {
    broken: { machine: { memoryLimitBytes: 256 * 1024 ** 2 } },
    status: 'failed',
    repaired: { machine: { memoryLimitBytes: 64 * 1024 ** 3 } },
    says: /256 MiB/,
  },
  'memory-used': {
    broken: { machine: { memoryLimitBytes: 1024 ** 3, memoryUsedBytes: 0.9 * 1024 ** 3 } },
    status: 'warning',
    repaired: { machine: { memoryLimitBytes: 1024 ** 3, memoryUsedBytes: 0.2 * 1024 ** 3 } },
    says: /0\.9 GiB of 1 GiB/,
  },
  languages: {
    broken: { machine: { formatGerman: String } },
    status: 'warning',
    repaired: {},
    says: /English/,
  },
  'disk-space': {
    broken: { machine: { readDisk: async () => ({ ...disk, freeBytes: 4e9 }) } },
    status: 'failed',
    repaired: { machine: { readDisk: async () => disk } },
    says: /4 %/,
  },
  'disk-files': {
    broken: { machine: { readDisk: async () => ({ ...disk, freeFiles: 10 }) } },
    status: 'failed',
    repaired: { machine: { readDisk: async () => disk } },
    says: /1 %/,
  },
  'temporary-folder': {
    broken: { machine: { readDisk: async () => ({ ...disk, freeBytes: 1e6 }) } },
    status: 'warning',
    repaired: { machine: { readDisk: async () => disk } },
    says: /Only 0 GiB/,
  },
  'mail-configured': {
    broken: { env: production },
    status: 'failed',
    repaired: { env: { ...production, SMTP_URL: 'smtp://mail.earshot.dev' }, ...fromEnvironment },
    says: /SMTP_URL/,
  },
  'google-callback': {
    broken: { env: { ...google, GOTRUE_EXTERNAL_GOOGLE_REDIRECT_URI: 'https://old.earshot.dev/auth/v1/callback' } },
    status: 'failed',
    repaired: { env: google },
    says: /old\.earshot\.dev/,
  },
  'stripe-mode': {
    broken: { env: { ...stripe, STRIPE_SECRET_KEY: 'sk_test_1' }, ...fromEnvironment },
    status: 'warning',
    repaired: { env: stripe, ...fromEnvironment },
    says: /test mode/,
  },
  'stripe-keys': {
    broken: { env: { ...stripe, STRIPE_PUBLISHABLE_KEY: 'pk_test_1' } },
    status: 'failed',
    repaired: { env: { ...stripe, STRIPE_PUBLISHABLE_KEY: 'pk_live_1' } },
    says: /different modes/,
  },
  'stripe-webhook-secret': {
    broken: { env: { ...stripe, STRIPE_WEBHOOK_SECRET: '' } },
    status: 'failed',
    repaired: { env: stripe },
    says: /refused/,
  },
  operator: {
    broken: { env: production },
    status: 'warning',
    repaired: { env: { ...production, OPERATOR_NAME: 'Ada', OPERATOR_ADDRESS: 'Street 1' } },
    says: /who runs/,
  },
}

describe.each(Object.entries(cases))('%s', (id, { broken, status, repaired, says }) => {
  it('is found, and fine once it is repaired', async () => {
    const sick = await examine(id, { dataDir, ...broken })
    expect([sick.status, sick.sentence]).toEqual([status, expect.stringMatching(says)])
    expect(sick.remedy).not.toBeNull()
    expect(await examine(id, { dataDir, ...repaired })).toMatchObject({ status: 'ok', remedy: null })
  })
})

describe('stripe-mode', () => {
  it('refuses live keys on a server that is not public', async () => {
    const env = { ...stripe, NODE_ENV: 'development', APP_URL: 'http://localhost:3000' }
    expect(await examine('stripe-mode', { dataDir, env, ...fromEnvironment })).toMatchObject({ status: 'failed' })
  })
})

describe('mail-from', () => {
  it('refuses domains from which no mail server accepts emails', async () => {
    for (const from of ['a@localhost', 'Earshot <a@example.com>', 'a@10.0.0.1', 'a@mail.local']) {
      const finding = await examine('mail-from', { dataDir, env: { ...production, MAIL_FROM: from } })
      expect([from, finding.status]).toEqual([from, 'failed'])
    }
  })
})

describe('files', () => {
  const statusOf = async (id: string, sickness: Sickness = {}) => (await examine(id, { dataDir, ...sickness })).status

  it.each(['instance-secret', 'auth-keys.json', 'postgres.json'])('finds that others can read %s', async (name) => {
    const file = join(dataDir, name)
    await writeFile(file, 'secret', { mode: 0o644 })
    expect(await examine('secret-files', { dataDir })).toMatchObject({
      status: 'failed',
      sentence: expect.stringContaining('0644'),
    })
    await chmod(file, 0o600)
    expect(await statusOf('secret-files')).toBe('ok')
  })

  it('finds that others can read .env', async () => {
    expect(await statusOf('env-file')).toBe('not_applicable')
    await writeFile(join(dataDir, '.env'), '', { mode: 0o644 })
    expect(await statusOf('env-file')).toBe('warning')
    await chmod(join(dataDir, '.env'), 0o600)
    expect(await statusOf('env-file')).toBe('ok')
  })

  it('finds a data folder that others can list, or that is missing', async () => {
    await chmod(dataDir, 0o755)
    expect(await statusOf('data-folder')).toBe('warning')
    await chmod(dataDir, 0o700)
    expect(await statusOf('data-folder')).toBe('ok')
    expect((await examine('data-folder', { dataDir: join(dataDir, 'missing') })).status).toBe('failed')
  })

  it('finds a storage that can’t be written', async () => {
    expect(await statusOf('storage')).toBe('ok')
    await rm(join(dataDir, 'files'), { recursive: true, force: true })
    await writeFile(join(dataDir, 'files'), 'a file where a folder belongs')
    expect(await statusOf('storage')).toBe('failed')
    await rm(join(dataDir, 'files'))
    expect(await statusOf('storage')).toBe('ok')
  })

  it('finds a missing, an old and a very old backup', async () => {
    expect(await statusOf('backup')).toBe('warning')
    const file = join(dataDir, 'backups', 'backup.tar')
    await mkdir(join(dataDir, 'backups'))
    await writeFile(file, '')
    expect(await statusOf('backup')).toBe('ok')
    for (const [days, status] of [
      [3, 'warning'],
      [8, 'failed'],
    ] as const) {
      const at = new Date(Date.now() - days * 86_400_000)
      await utimes(file, at, at)
      expect(await statusOf('backup')).toBe(status)
    }
  })

  it('finds a missing ffmpeg, and one without ffprobe', async () => {
    const ffmpeg = join(dataDir, 'ffmpeg')
    const env = { FFMPEG_PATH: ffmpeg }
    expect(await statusOf('ffmpeg', { env })).toBe('warning')
    await writeFile(ffmpeg, '#!/bin/sh\necho ffmpeg version 7\n', { mode: 0o755 })
    expect(await statusOf('ffmpeg', { env })).toBe('warning')
    await writeFile(join(dataDir, 'ffprobe'), '#!/bin/sh\necho ffprobe version 7\n', { mode: 0o755 })
    expect(await statusOf('ffmpeg', { env })).toBe('ok')
  })

  it('finds the template of legal texts, and texts that can’t be read', async () => {
    const [privacy, terms] = [join(dataDir, 'privacy.md'), join(dataDir, 'terms.md')]
    const env = { ...production, PRIVACY_FILE: privacy, TERMS_FILE: terms }
    expect(await statusOf('legal-texts', { env: production })).toBe('warning')
    expect(await statusOf('legal-texts', { env })).toBe('failed')
    await writeFile(privacy, '# Privacy')
    await writeFile(terms, '# Terms')
    expect(await statusOf('legal-texts', { env })).toBe('ok')
  })
})

describe('settings of the database server', () => {
  it('are judged by what a power cut or a bad disk would do', () => {
    expect(judgeDurability({ fsync: 'off', full_page_writes: 'on' }).status).toBe('failed')
    expect(judgeDurability({ fsync: 'on', full_page_writes: 'off' }).status).toBe('failed')
    expect(judgeDurability({ fsync: 'on', full_page_writes: 'on', synchronous_commit: 'off' }).status).toBe('warning')
    expect(judgeDurability({ fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' }).status).toBe('ok')
    expect(judgeChecksums({ data_checksums: 'off' }).status).toBe('warning')
    expect(judgeChecksums({ data_checksums: 'on' }).status).toBe('ok')
  })

  it('are judged by how far the replica is behind', () => {
    expect(judgeLag({ bytes: 2048, seconds: 0.2 })).toEqual({
      status: 'ok',
      sentence: 'The replica is 0.2 s and 2 kB of WAL behind.',
    })
    expect(judgeLag({ bytes: 2048, seconds: 11 }).status).toBe('warning')
    expect(judgeLag(undefined).status).toBe('warning')
  })

  it('are judged by the connections that are left', () => {
    expect([70, 85, 96].map((used) => judgeConnections(used, 100).status)).toEqual(['ok', 'warning', 'failed'])
  })

  it('are judged by the version', () => {
    expect([140_010, 150_004, 180_001].map((version) => judgeVersion(version, '').status)).toEqual([
      'failed',
      'warning',
      'ok',
    ])
  })
})

describe('the checks', () => {
  it('are at least thirty, and each has a name of its own and says what to do', () => {
    expect(checks.length).toBeGreaterThanOrEqual(30)
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length)
    expect(new Set(checks.map(({ title }) => title)).size).toBe(checks.length)
    expect(checks.filter(({ remedy }) => !remedy.endsWith('.'))).toEqual([])
  })

  it('that need the database are not made without it', async () => {
    const finding = await examine('worker', { dataDir })
    expect([finding.status, finding.remedy]).toEqual(['not_applicable', null])
    expect(await examine('database-reachable', { dataDir, databaseProblem: 'ECONNREFUSED' })).toMatchObject({
      status: 'failed',
      sentence: expect.stringContaining('ECONNREFUSED'),
    })
  })
})
