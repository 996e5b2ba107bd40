import { queryOptions } from '@tanstack/react-query'
import { listExports } from '#contract/exports.ts'
import { getImport, type Import, listImports } from '#contract/imports.ts'
import { call } from '#web/lib/api.ts'

const pollMs = 1000
const openStates: readonly string[] = ['queued', 'running', 'checking', 'importing', 'undoing']

/** Exports of the last days, newest first; read again while one is being written. */
export function exportsQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['exports', organizationId],
    queryFn: ({ signal }) => call(listExports, { params: { organizationId }, signal }),
    select: ({ items }) => items,
    // Addresses end within the hour.
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ state }) => openStates.includes(state)) ? pollMs : 600_000,
  })
}

/** One import; read again while a step runs. */
export function importQuery(organizationId: string, importId: string) {
  return queryOptions({
    queryKey: ['import', organizationId, importId],
    queryFn: ({ signal }) => call(getImport, { params: { organizationId, importId }, signal }),
    refetchInterval: ({ state: { data } }) => (data && isRunning(data) ? pollMs : false),
  })
}

/** Imports of the last weeks, newest first; read again while a step of one runs. */
export function importsQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['imports', organizationId],
    queryFn: ({ signal }) => call(listImports, { params: { organizationId }, signal }),
    select: ({ items }) => items,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.items.some(isRunning) ? pollMs : false),
  })
}

/** What a step of an import is called while it runs. */
export const runningLabels: Readonly<Partial<Record<Import['state'], string>>> = {
  checking: 'Checking rows',
  importing: 'Importing',
  undoing: 'Moving to the trash',
}

/** Whether a step of the import is under way. */
export function isRunning({ state }: Pick<Import, 'state'>): boolean {
  return openStates.includes(state)
}
