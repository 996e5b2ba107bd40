import { join, relative } from 'node:path'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import { createDerivedDatabase } from '#server/testing/template-database.ts'
import { applyEdits, type CodeChange, type Mutant } from './mutant.ts'

/** The first test that failed, or why none could. */
export type Outcome =
  | { readonly kind: 'caught'; readonly test: string; readonly file: string }
  | { readonly kind: 'survived' }
  | { readonly kind: 'broken'; readonly errors: string }

/** Runs test files again and again, with one mutant at a time, in one process and on one PostgreSQL. */
export interface Trial {
  /** Runs files without any mutant. */
  runUnchanged(files: readonly string[]): Promise<Outcome>
  /** Runs the mutant's tests, one file after the other, until one fails. A file that can't start is no catch. */
  runMutant(mutant: Mutant): Promise<Outcome>
  close(): Promise<void>
}

export async function openTrial(): Promise<Trial> {
  let present: CodeChange | undefined
  const root = process.cwd()
  const vitest = await createVitest(
    'test',
    { watch: false, bail: 1, reporters: [{}], isolate: true, fsModuleCache: false },
    {
      plugins: [
        {
          name: 'mutant',
          enforce: 'pre',
          transform(source: string, id: string) {
            const file = relative(root, id.split('?')[0] ?? '')
            const isChanged = present?.edits.some((edit) => edit.file === file)
            return present && isChanged ? applyEdits(present, file, source) : undefined
          },
        },
      ],
    },
  )
  // The first run starts PostgreSQL and makes the template of test databases.
  const fit = await runFiles(vitest, ['scripts/mutants/mutants.test.ts'])
  if (fit.kind !== 'survived') {
    await vitest.close()
    throw new Error('a mutant does not fit the product of today: run scripts/mutants/mutants.test.ts')
  }
  const healthy = vitest.getRootProject().getProvidedContext()

  async function withChange({ change }: Mutant, run: () => Promise<Outcome>): Promise<Outcome> {
    if (change.kind === 'database') {
      const { databaseServerUrl, templateDatabase } = healthy
      const weak = await createDerivedDatabase(databaseServerUrl, templateDatabase, change.sql)
      vitest.provide('templateDatabase', weak.name)
      const outcome = await run()
      vitest.provide('templateDatabase', templateDatabase)
      await weak.drop()
      return outcome
    }
    present = change
    for (const { file } of change.edits) vitest.invalidateFile(`${root}/${file}`)
    const outcome = await run()
    present = undefined
    for (const { file } of change.edits) vitest.invalidateFile(`${root}/${file}`)
    return outcome
  }

  return {
    runUnchanged: (files) => runFiles(vitest, files),
    runMutant: (mutant) =>
      withChange(mutant, async () => {
        for (const file of mutant.tests) {
          const outcome = await runFiles(vitest, [file])
          if (outcome.kind !== 'survived') return outcome
        }
        return { kind: 'survived' }
      }),
    close: () => vitest.close(),
  }
}

async function runFiles(vitest: Vitest, files: readonly string[]): Promise<Outcome> {
  const project = vitest.getRootProject()
  const specifications = files.map((file) => project.createSpecification(join(process.cwd(), file)))
  const { testModules } = await vitest.runTestSpecifications(specifications)
  // Vitest also returns what earlier runs have left.
  const own = specifications.map(({ moduleId }) => moduleId)
  return readOutcome(testModules.filter(({ moduleId }) => own.includes(moduleId)))
}

function readOutcome(modules: readonly TestModule[]): Outcome {
  for (const module of modules) {
    const [failed] = module.children.allTests('failed')
    if (failed) return { kind: 'caught', test: failed.fullName, file: module.relativeModuleId }
  }
  const errors = modules.flatMap((module) => [module, ...module.children.allSuites()].flatMap((each) => each.errors()))
  const hasPassed = modules.some((module) => !module.children.allTests('passed').next().done)
  if (errors.length === 0 && hasPassed) return { kind: 'survived' }
  return { kind: 'broken', errors: errors.map(({ message }) => message).join('\n') || 'no test ran' }
}
