import { agentMutants } from './agent-mutants.ts'
import { codeMutants } from './code-mutants.ts'
import { databaseMutants } from './database-mutants.ts'
import type { Mutant } from './mutant.ts'

/** Every mutant, or those whose name contains the text. */
export function listMutants(part = ''): readonly Mutant[] {
  return [...databaseMutants, ...codeMutants, ...agentMutants].filter(({ name }) => name.includes(part))
}
