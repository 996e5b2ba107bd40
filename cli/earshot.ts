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
  if (given.help === true) {
    process.stdout.write(explainOne(name, command))
    return
  }
  if (typeof given.data === 'string') process.env.DATA_DIR = given.data
  const { run } = await command.load()
  await run(given)
}

function readOptions(name: string, command: Command): Given | undefined {
  try {
    // Every option of a command is text or a flag, once.
    return parseArgs({ args, options: toParserOptions({ ...command.options, ...commonOptions }) }).values as Given
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
