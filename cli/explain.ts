import { type Command, type CommandOption, commonOptions } from './command.ts'
import { nameCommand } from './name-command.ts'

/** @returns the text of `earshot --help`. */
export function explainAll(commands: Readonly<Record<string, Command>>): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => [name, summary] as const)
  return [
    'Earshot collects feedback from the visitors of websites and lets a team work on it.',
    '',
    'Commands:',
    ...align(rows),
    '',
    'Without a command, Earshot starts. Each command explains itself with --help.',
    'Settings come from the environment and from a file .env in the current folder.',
    '',
  ].join('\n')
}

/** @returns the text of `earshot <command> --help`. */
export function explainOne(name: string, { summary, options, actions, exitCodes = {} }: Command): string {
  const rows = Object.entries({ ...options, ...commonOptions }).map(
    ([option, about]) => [nameOption(option, about), about.says] as const,
  )
  const codes = { 0: 'It worked.', 1: 'It failed; one line says why.', 2: 'An option is wrong.', ...exitCodes }
  return [
    summary,
    '',
    `  ${nameCommand(name, actions ? `${Object.keys(actions).join('|')} [options]` : '[options]')}`,
    '',
    ...(actions ? ['Actions:', ...align(Object.entries(actions)), ''] : []),
    'Options:',
    ...align(rows),
    '',
    'Exit codes:',
    ...align(Object.entries(codes)),
    '',
  ].join('\n')
}

function nameOption(option: string, { value }: CommandOption): string {
  return value === undefined ? `--${option}` : `--${option} <${value}>`
}

function align(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
