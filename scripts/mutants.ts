/*
 * `npm run mutants`: puts a weakness into the product, one at a time, and runs the tests that should notice: a removed
 * policy, guard, permission, signature, limit. Prints each with the test that caught it, and fails if one survives.
 * Arguments: `--list` prints the mutants alone; `--code` or `--database` runs one half; a text runs those whose name
 * contains it; `--unchecked` trusts that every test passes without a mutant.
 */
import { listMutants } from './mutants/list-mutants.ts'
import type { Mutant } from './mutants/mutant.ts'
import { type Outcome, openTrial, type Trial } from './mutants/trial.ts'

const part = process.argv.slice(2).find((argument) => !argument.startsWith('--'))
const kinds = ['code', 'database'].filter((kind) => process.argv.includes(`--${kind}`))
const mutants = listMutants(part).filter(({ change }) => kinds.length === 0 || kinds.includes(change.kind))
if (process.argv.includes('--list'))
  for (const { name, tests } of mutants) console.log(`${name}\n    ${tests.join(', ')}`)
else await runAll()

async function runAll(): Promise<void> {
  const trial = await openTrial()
  try {
    if (!process.argv.includes('--unchecked')) await requireHealthyTests(trial)
    const survivors: Mutant[] = []
    for (const mutant of mutants) {
      const outcome = await trial.runMutant(mutant)
      console.log(`${mutant.name}\n    ${explain(outcome)}`)
      if (outcome.kind !== 'caught') survivors.push(mutant)
    }
    console.log(`\n${mutants.length - survivors.length} of ${mutants.length} caught`)
    if (survivors.length > 0) process.exitCode = 1
  } finally {
    await trial.close()
  }
}

/** @throws Error when a test fails without any mutant: it would catch everything. */
async function requireHealthyTests(trial: Trial): Promise<void> {
  const outcome = await trial.runUnchanged([...new Set(mutants.flatMap(({ tests }) => tests))])
  if (outcome.kind !== 'survived') throw new Error(`tests fail without a mutant: ${explain(outcome)}`)
}

function explain(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'caught':
      return `caught by ${outcome.file}: ${outcome.test}`
    case 'survived':
      return 'SURVIVED'
    case 'broken':
      return `BROKEN: the tests did not run\n${outcome.errors}`
  }
}
