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
import { type ImportValues, isValueField, valueOptions } from '#contract/value-mapping.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { hasErrorCode, readErrorMessage } from '#server/platform/read-error.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import type { Quotas } from '../../quotas/quotas.service.ts'
import { type AskedColumn, collectValues } from './collect-values.ts'
import { FileObserver, FileTooLargeError, UnreadableFileError } from './import-file.ts'
import { describeFile, readRows } from './import-rows.ts'
import {
  beginStep,
  cancelImport,
  countOpenImports,
  findImport,
  findImportFile,
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
  /**
   * The different values of columns, of as much of the file as can be read in a second.
   *
   * @throws ProductError `import_busy` when there is no file.
   */
  listValues(actor: Actor, organizationId: string, id: string, asked: readonly AskedColumn[]): Promise<ImportValues>
  /** @throws ProductError `import_busy`, `too_many_imports`, `validation_failed`. */
  check(actor: Actor, organizationId: string, id: string, mapping: ImportMapping): Promise<Import>
  start(actor: Actor, organizationId: string, id: string): Promise<Import>
  cancel(actor: Actor, organizationId: string, id: string): Promise<Import>
  undo(actor: Actor, organizationId: string, id: string): Promise<Import>
  listProblems(actor: Actor, organizationId: string, id: string): Promise<ImportProblem[]>
}

/** What imports work with. */
interface ImportParts {
  readonly database: Database
  readonly storage: Storage
  readonly quotas: Pick<Quotas, 'require'>
}

const maxOpenImports = 3
/** How long the values of a file are read for one answer. */
const maxValuesMs = 1_000
const readReason = 'members see no storage keys; the caller’s permission is already checked'
const reason = 'change of an import’s state, which callers may only read; their permission is already checked'

/** An import as a caller names it. */
interface ImportTarget {
  readonly actor: Actor
  readonly organizationId: string
  readonly id: string
}

/** A step with the states that it may begin in, and those in which it already began. */
interface StepRule {
  readonly step: Step
  readonly from: readonly Import['state'][]
  readonly done: readonly Import['state'][]
}

const checkRule: StepRule = { step: 'checking', from: ['uploaded', 'checking', 'checked'], done: [] }
const startRule: StepRule = {
  step: 'importing',
  from: ['uploaded', 'checking', 'checked'],
  done: ['importing', 'imported'],
}
const undoRule: StepRule = { step: 'undoing', from: ['imported', 'cancelled', 'failed'], done: ['undoing', 'undone'] }

export function createImports(parts: ImportParts): Imports {
  const { database, quotas } = parts
  return {
    create: async (actor, organizationId, { id: givenId, projectId: givenProjectId, name }) => {
      await quotas.require({ kind: 'import', organizationId })
      return database.withTenant(actor, async (tx) => {
        const ids = { id: givenId.toLowerCase(), projectId: givenProjectId.toLowerCase() }
        const asked = { organizationId, ...ids, name, createdBy: actor.userId }
        const outcome = await insertImport(tx, asked)
        if (outcome === 'no_project') throw new ProductError('project_not_found')
        if (outcome === 'taken' && !(await isAskedImport(tx, asked))) throw new ProductError('id_reused')
        return { import: await getImport(tx, organizationId, ids.id), isNew: outcome === 'inserted' }
      })
    },

    list: (actor, organizationId) => database.withTenant(actor, (tx) => listImports(tx, organizationId)),

    get: (actor, organizationId, id) => readImport(database, { actor, organizationId, id }),

    receive: (actor, organizationId, id, file) => receiveFile(parts, { actor, organizationId, id }, file),

    listValues: (actor, organizationId, id, asked) => listValues(parts, { actor, organizationId, id }, asked),

    check: (actor, organizationId, id, mapping) => begin(database, { actor, organizationId, id }, checkRule, mapping),

    start: (actor, organizationId, id) => begin(database, { actor, organizationId, id }, startRule),

    undo: (actor, organizationId, id) => begin(database, { actor, organizationId, id }, undoRule),

    cancel: async (actor, organizationId, id) => {
      const target = { actor, organizationId, id }
      const found = await readImport(database, target)
      await database.asSystem(reason, (tx) => cancelImport(tx, { organizationId, id: found.id }))
      return readImport(database, target)
    },

    listProblems: (actor, organizationId, id) =>
      database.withTenant(actor, async (tx) => {
        const { id: importId } = await getImport(tx, organizationId, id)
        return listProblems(tx, organizationId, importId)
      }),
  }
}

async function getImport(tx: TenantTx, organizationId: string, id: string): Promise<Import> {
  const found = await findImport(tx, organizationId, id)
  if (!found) throw new ProductError('import_not_found')
  return found
}

function readImport(database: Database, { actor, organizationId, id }: ImportTarget): Promise<Import> {
  return database.withTenant(actor, (tx) => getImport(tx, organizationId, id))
}

/** Begins a step, or answers the import unchanged when the step already began. */
async function begin(
  database: Database,
  target: ImportTarget,
  { step, from, done }: StepRule,
  mapping?: ImportMapping,
): Promise<Import> {
  const { actor, organizationId, id } = target
  const found = await database.withTenant(actor, async (tx) => {
    const known = await getImport(tx, organizationId, id)
    if (!done.includes(known.state) && (await countOpenImports(tx, organizationId)) >= maxOpenImports) {
      // An import that is running is one of those counted: its next step replaces the present one.
      if (!['checking', 'importing'].includes(known.state)) throw new ProductError('too_many_imports')
    }
    return known
  })
  if (mapping) checkMapping(mapping, found)
  if (done.includes(found.state)) return found
  const run = { from, ...(mapping && { mapping }), runId: uuidV7(), actorUserId: actor.userId }
  if (!(await database.asSystem(reason, (tx) => beginStep(tx, { organizationId, id: found.id }, step, run))))
    throw new ProductError('import_busy')
  return readImport(database, target)
}

/** Stores the file of an import; a file that cannot be used is removed again. */
async function receiveFile(
  { database, storage, quotas }: ImportParts,
  target: ImportTarget,
  file: Readable,
): Promise<Import> {
  const { organizationId } = target
  const { state, id, questions } = await readImport(database, target)
  if (!['waiting', 'uploaded', 'checked'].includes(state)) throw new ProductError('import_busy')
  await quotas.require({ kind: 'import', organizationId })
  const storageKey = `${organizationId}/${uuidV7()}`
  try {
    const facts = await storeFile(storage, storageKey, file)
    const layout = await describeFile(facts, questions)
    await storage.finish(storageKey)
    const stored = { storageKey, contentHash: facts.contentHash, layout }
    const isTaken = await database.asSystem(reason, (tx) => setImportFile(tx, { organizationId, id }, stored))
    if (!isTaken) throw new ProductError('import_busy')
  } catch (error) {
    await storage.remove(storageKey).catch(() => {})
    throw toAnswer(error)
  }
  return readImport(database, target)
}

async function listValues(
  { database, storage }: ImportParts,
  target: ImportTarget,
  asked: readonly AskedColumn[],
): Promise<ImportValues> {
  const { id } = await readImport(database, target)
  const { organizationId } = target
  const file = await database.asSystem(readReason, (tx) => findImportFile(tx, { organizationId, id }))
  if (!file) throw new ProductError('import_busy', { detail: 'Send the file first.' })
  const source = await storage.read(file.storageKey)
  try {
    return await collectValues(readRows(source, file.layout), asked, maxValuesMs)
  } catch (error) {
    throw toAnswer(error)
  } finally {
    source.destroy()
  }
}

/** Appends the whole file to the storage, unfinished, while its facts are observed. */
async function storeFile(storage: Storage, storageKey: string, file: Readable) {
  const observer = new FileObserver(maxImportBytes)
  const output = new PassThrough()
  const [, bytes] = await Promise.all([pipeline(file, observer, output), storage.append(storageKey, output, 0)])
  const facts = observer.learn()
  if (bytes !== facts.bytes) throw new Error('the storage has not taken the whole file')
  return facts
}

function checkMapping(mapping: ImportMapping, { layout, questions }: Import): void {
  if (!layout) throw new ProductError('import_busy', { detail: 'Send the file first.' })
  for (const [at, { column, field, question, values = [] }] of mapping.columns.entries()) {
    if (column >= layout.columns.length) throw invalid(`body.columns.${at}.column`, 'is no column of the file')
    checkValues(`body.columns.${at}.values`, field, values)
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

/** A value becomes one of those of its field. */
function checkValues(
  path: string,
  field: string,
  values: NonNullable<ImportMapping['columns'][number]['values']>,
): void {
  if (values.length === 0) return
  if (!isValueField(field)) throw invalid(path, 'can be given for a type, status, reason, priority or rating')
  const options: readonly string[] = valueOptions[field]
  for (const [at, { to }] of values.entries()) {
    if (to !== null && !options.includes(to)) throw invalid(`${path}.${at}.to`, `must be one of ${options.join(', ')}`)
  }
}

function toAnswer(error: unknown): unknown {
  if (error instanceof UnreadableFileError) return new ProductError('import_file_unreadable', { detail: error.message })
  if (error instanceof FileTooLargeError) {
    return new ProductError('file_too_large', { detail: 'A file of at most 50 MB can be imported. Split it in parts.' })
  }
  if (hasErrorCode(error, 'ERR_STREAM_PREMATURE_CLOSE') || readErrorMessage(error) === 'aborted') {
    return new ProductError('malformed_request', { detail: 'The file broke off in the middle.' })
  }
  return error
}
