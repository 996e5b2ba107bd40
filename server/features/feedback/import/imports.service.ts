import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { v7 as uuidV7 } from 'uuid'
import {
  type Import,
  type ImportMapping,
  type ImportProblem,
  type ImportSummary,
  maxImportBytes,
  type NewImport,
} from '#contract/imports.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { FileObserver, FileTooLargeError, UnreadableFileError } from './import-file.ts'
import { describeFile } from './import-rows.ts'
import {
  beginStep,
  cancelImport,
  countOpenImports,
  findImport,
  insertImport,
  isAskedImport,
  listImports,
  listProblems,
  type Step,
  setImportFile,
} from './imports.queries.ts'

export interface Imports {
  /** @throws ProductError `project_not_found`, `id_reused`. */
  create(actor: Actor, organizationId: string, asked: NewImport): Promise<{ import: Import; isNew: boolean }>
  list(actor: Actor, organizationId: string): Promise<ImportSummary[]>
  get(actor: Actor, organizationId: string, id: string): Promise<Import>
  /** @throws ProductError `import_busy`, `import_file_unreadable`, `file_too_large`. */
  receive(actor: Actor, organizationId: string, id: string, file: Readable): Promise<Import>
  /** @throws ProductError `import_busy`, `too_many_imports`, `validation_failed`. */
  check(actor: Actor, organizationId: string, id: string, mapping: ImportMapping): Promise<Import>
  start(actor: Actor, organizationId: string, id: string): Promise<Import>
  cancel(actor: Actor, organizationId: string, id: string): Promise<Import>
  undo(actor: Actor, organizationId: string, id: string): Promise<Import>
  listProblems(actor: Actor, organizationId: string, id: string): Promise<ImportProblem[]>
}

const maxOpenImports = 3
const reason = 'the guard let the caller in; the state of an import is the server’s to keep'

export function createImports(database: Database, storage: Storage): Imports {
  const get = async (tx: TenantTx, organizationId: string, id: string): Promise<Import> => {
    const found = await findImport(tx, organizationId, id)
    if (!found) throw new ProductError('import_not_found')
    return found
  }
  const read = (actor: Actor, organizationId: string, id: string) =>
    database.withTenant(actor, (tx) => get(tx, organizationId, id))

  async function begin(
    actor: Actor,
    organizationId: string,
    id: string,
    step: Step,
    options: { from: readonly Import['state'][]; done: readonly Import['state'][]; mapping?: ImportMapping },
  ): Promise<Import> {
    const found = await database.withTenant(actor, async (tx) => {
      const known = await get(tx, organizationId, id)
      if (!options.done.includes(known.state) && (await countOpenImports(tx, organizationId)) >= maxOpenImports) {
        // Its own step, ended by the next, is no other.
        if (!['checking', 'importing'].includes(known.state)) throw new ProductError('too_many_imports')
      }
      return known
    })
    if (options.mapping) checkMapping(options.mapping, found)
    if (options.done.includes(found.state)) return found
    const run = { ...options, runId: uuidV7(), actorUserId: actor.userId }
    const name = { organizationId, id: found.id }
    if (!(await database.asSystem(reason, (tx) => beginStep(tx, name, step, run))))
      throw new ProductError('import_busy')
    return read(actor, organizationId, id)
  }

  return {
    create: (actor, organizationId, { id: givenId, projectId: givenProjectId, name }) =>
      database.withTenant(actor, async (tx) => {
        const ids = { id: givenId.toLowerCase(), projectId: givenProjectId.toLowerCase() }
        const asked = { organizationId, ...ids, name, createdBy: actor.userId }
        const outcome = await insertImport(tx, asked)
        if (outcome === 'no_project') throw new ProductError('project_not_found')
        if (outcome === 'taken' && !(await isAskedImport(tx, asked))) throw new ProductError('id_reused')
        return { import: await get(tx, organizationId, ids.id), isNew: outcome === 'inserted' }
      }),

    list: (actor, organizationId) => database.withTenant(actor, (tx) => listImports(tx, organizationId)),

    get: read,

    receive: async (actor, organizationId, id, file) => {
      const { state, id: importId, questions } = await read(actor, organizationId, id)
      if (!['waiting', 'uploaded', 'checked'].includes(state)) throw new ProductError('import_busy')
      const storageKey = `${organizationId}/${uuidV7()}`
      try {
        const observer = new FileObserver(maxImportBytes)
        const output = new PassThrough()
        const [, bytes] = await Promise.all([pipeline(file, observer, output), storage.append(storageKey, output, 0)])
        const facts = observer.learn()
        if (bytes !== facts.bytes) throw new Error('the storage has not taken the whole file')
        const layout = await describeFile(facts, questions)
        await storage.finish(storageKey)
        const stored = { storageKey, contentHash: facts.contentHash, layout }
        const isTaken = await database.asSystem(reason, (tx) =>
          setImportFile(tx, { organizationId, id: importId }, stored),
        )
        if (!isTaken) throw new ProductError('import_busy')
      } catch (error) {
        await storage.remove(storageKey).catch(() => {})
        throw toAnswer(error)
      }
      return read(actor, organizationId, id)
    },

    check: (actor, organizationId, id, mapping) =>
      begin(actor, organizationId, id, 'checking', { from: ['uploaded', 'checking', 'checked'], done: [], mapping }),

    start: (actor, organizationId, id) =>
      begin(actor, organizationId, id, 'importing', {
        from: ['uploaded', 'checking', 'checked'],
        done: ['importing', 'imported'],
      }),

    undo: (actor, organizationId, id) =>
      begin(actor, organizationId, id, 'undoing', {
        from: ['imported', 'cancelled', 'failed'],
        done: ['undoing', 'undone'],
      }),

    cancel: async (actor, organizationId, id) => {
      const found = await read(actor, organizationId, id)
      await database.asSystem(reason, (tx) => cancelImport(tx, { organizationId, id: found.id }))
      return read(actor, organizationId, id)
    },

    listProblems: (actor, organizationId, id) =>
      database.withTenant(actor, async (tx) => {
        const { id: importId } = await get(tx, organizationId, id)
        return listProblems(tx, organizationId, importId)
      }),
  }
}

function checkMapping(mapping: ImportMapping, { layout, questions }: Import): void {
  if (!layout) throw new ProductError('import_busy', { detail: 'Send the file first.' })
  for (const [at, { column, field, question }] of mapping.columns.entries()) {
    if (column >= layout.columns.length) throw invalid(`body.columns.${at}.column`, 'is no column of the file')
    if (field !== 'answer') continue
    const path = `body.columns.${at}.question`
    if (question === undefined) throw invalid(path, 'says which question the column answers')
    if (!questions.some(({ id }) => id === question)) throw invalid(path, 'is no question of the project')
    if (mapping.columns.slice(0, at).some((each) => each.field === 'answer' && each.question === question)) {
      throw invalid(path, 'is answered by another column already')
    }
  }
  const hasContent = mapping.columns.some(({ field }) => ['message', 'title', 'rating', 'nps'].includes(field))
  if (!hasContent) throw invalid('body.columns', 'must hold a message, a title or a rating')
}

function invalid(path: string, message: string): ProductError {
  return new ProductError('validation_failed', { fields: [{ path, message }] })
}

function toAnswer(error: unknown): unknown {
  if (error instanceof UnreadableFileError) return new ProductError('import_file_unreadable', { detail: error.message })
  if (error instanceof FileTooLargeError) {
    return new ProductError('file_too_large', { detail: 'A file of at most 50 MB can be imported. Split it in parts.' })
  }
  if ((error as { code?: string }).code === 'ERR_STREAM_PREMATURE_CLOSE' || (error as Error).message === 'aborted') {
    return new ProductError('malformed_request', { detail: 'The file broke off in the middle.' })
  }
  return error
}
