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
  'rotate-keys': {
    summary: 'Makes a new key that signs access tokens from the next start on.',
    options: { leaked: { type: 'boolean', says: 'Removes the old keys at once, and replaces the secret API key.' } },
    load: () => import('./rotate-keys.ts'),
  },
} satisfies Record<string, Command>
