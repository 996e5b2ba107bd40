/*
 * `earshot <command>`: what an operator runs, from the npm package as from a clone (`npm start`, `npm run demo` …). Loads
 * the code of the command that is asked for, and nothing else.
 */
import { parseArgs } from 'node:util'
import { type Command, commonOptions, type Given, toParserOptions } from './command.ts'
import { commands } from './commands.ts'
import { explainAll, explainOne } from './explain.ts'
import { nameCommand } from './name-command.ts'

/** As shells and getopt use it: the command was typed wrong. */
const usageExitCode = 2

const [first, ...rest] = process.argv.slice(2)
const isNamed = first !== undefined && !first.startsWith('-')
const name = isNamed ? first : 'start'
const args = isNamed ? rest : process.argv.slice(2)

if (!isNamed && args.includes('--version')) await printVersion()
else if (name === 'help' || (!isNamed && args.includes('--help'))) process.stdout.write(explainAll(commands))
else await runNamed(name, commands)

async function runNamed(name: string, all: Readonly<Record<string, Command>>): Promise<void> {
  const command = Object.hasOwn(all, name) ? all[name] : undefined
  if (command) await runCommand(name, command)
  else refuse(`There is no command ${name}. Commands: ${Object.keys(all).join(', ')}.`)
}

async function runCommand(name: string, command: Command): Promise<void> {
  const given = readOptions(name, command)
  if (given === undefined) return
  if (given.options.help === true) {
    process.stdout.write(explainOne(name, command))
    return
  }
  if (typeof given.options.data === 'string') process.env.DATA_DIR = given.options.data
  const { run } = await command.load()
  await run(given.options, given.action)
}

interface Typed {
  readonly options: Given
  readonly action?: string
}

function readOptions(name: string, command: Command): Typed | undefined {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: toParserOptions({ ...command.options, ...commonOptions }),
      allowPositionals: command.actions !== undefined,
    })
    // Every option of a command is text or a flag, once.
    const options = values as Given
    if (command.actions === undefined || options.help === true) return { options }
    const [action = '', further] = positionals
    if (Object.hasOwn(command.actions, action) && further === undefined) return { options, action }
    const wanted = Object.keys(command.actions).join(', ')
    refuse(`${name} needs one of these: ${wanted}. Explained by: ${nameCommand(name, '--help')}`)
    return undefined
  } catch (error) {
    // The parser's first sentence names the option.
    const [sentence] = (error instanceof Error ? error.message : String(error)).split(/\.( |$)/)
    refuse(`${sentence}. Explained by: ${nameCommand(name, '--help')}`)
    return undefined
  }
}

function refuse(sentence: string): void {
  process.stderr.write(`earshot: ${sentence}\n`)
  process.exitCode = usageExitCode
}

async function printVersion(): Promise<void> {
  const { readVersion } = await import('./read-version.ts')
  process.stdout.write(`${readVersion()}\n`)
}
