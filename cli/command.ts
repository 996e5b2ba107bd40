import type { ParseArgsConfig } from 'node:util'

/** An option of a command, as `--help` explains it. */
export interface CommandOption {
  readonly type: 'string' | 'boolean'
  /** Name of the value in `--help`, e.g. `folder`. */
  readonly value?: string
  readonly says: string
}

/** The options as a person gave them. */
export type Given = Readonly<Record<string, string | boolean | undefined>>

/** A command of `earshot`. Its code is loaded when it runs. */
export interface Command {
  /** One line in the list of commands. */
  readonly summary: string
  readonly options: Readonly<Record<string, CommandOption>>
  /** What follows the command's name, such as `on`; one of these must. By word, as `--help` explains it. */
  readonly actions?: Readonly<Record<string, string>>
  /** What an exit code means, beyond 1 (it failed, with one line) and 2 (an option is wrong). */
  readonly exitCodes?: Readonly<Record<number, string>>
  /** `action` is one of `actions`; absent for a command without. */
  load(): Promise<{ run(given: Given, action?: string): Promise<void> }>
}

export const commonOptions: Readonly<Record<string, CommandOption>> = {
  data: {
    type: 'string',
    value: 'folder',
    says: 'Folder for all persistent data: database, keys, files. As DATA_DIR.',
  },
  help: { type: 'boolean', says: 'Explains the command.' },
}

/** @returns the options as `parseArgs` takes them. */
export function toParserOptions(options: Command['options']): NonNullable<ParseArgsConfig['options']> {
  return Object.fromEntries(Object.entries(options).map(([name, { type }]) => [name, { type }]))
}
