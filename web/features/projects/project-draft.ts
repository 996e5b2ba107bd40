import type { UseFormReturn } from 'react-hook-form'
import { ApiError } from '#web/lib/api.ts'
import { findDomainProblem } from './typed-domain.ts'

/** What names a project, as it is typed. */
export interface ProjectDraft {
  name: string
  domain: string
}

/** Registers both fields in the order of the page: the first field that is wrong gets the focus. */
export function registerProjectDraft({ register }: UseFormReturn<ProjectDraft>) {
  return {
    nameField: register('name', {
      validate: (value) => value.trim() !== '' || 'Give the project a name.',
      maxLength: { value: 100, message: 'At most 100 characters.' },
    }),
    domainField: register('domain', { validate: (value) => findDomainProblem(value) ?? true }),
  }
}

/** What the server refused, by field. Empty when the error concerns neither. */
export function findDraftProblems(error: Error): [keyof ProjectDraft, string][] {
  if (!(error instanceof ApiError)) return []
  if (error.code === 'project_domain_taken') return [['domain', error.message]]
  return (['name', 'domain'] as const).flatMap((field): [keyof ProjectDraft, string][] => {
    const message = error.findFieldMessage(field)
    return message === undefined ? [] : [[field, `The ${field} ${message}.`]]
  })
}
