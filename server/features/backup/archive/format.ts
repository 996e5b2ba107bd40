import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { BackupError } from '../backup-error.ts'

/*
 * An archive is a tar of, in this order: `backup.json` (the header), `secrets.json` if a passphrase was given,
 * `tables/<schema>.<table>/<number>.copy.zst`, `sequences.json`, `files/<key>` with a list of checksums after each
 * thousand, `manifest.json` and its checksum, without which it is not whole.
 */

export const formatVersion = 1
export const headerName = 'backup.json'
export const secretsName = 'secrets.json'
export const sequencesName = 'sequences.json'
export const manifestName = 'manifest.json'
export const manifestSumName = 'manifest.json.sha256'

/** Name of a part of a table's rows. */
export function partName(table: string, index: number): string {
  return `tables/${table}/${String(index).padStart(6, '0')}.copy.zst`
}

/** Which table's rows a part contains; undefined: it is another kind of part. */
export function readPartName(name: string): string | undefined {
  return /^tables\/([a-z_]+\.[a-z_0-9]+)\/\d{6}\.copy\.zst$/.exec(name)?.[1]
}

/** Name of a list of checksums of the files before it, as `sha256sum --check` reads them. */
export function sumsName(index: number): string {
  return `checksums/${String(index).padStart(6, '0')}.sha256`
}

const fileFolder = 'files/'

/** Name of a file of the storage. `.unfinished`: its upload had not ended. */
export function fileName(key: string, isWhole: boolean): string {
  return `${fileFolder}${key}${isWhole ? '' : '.unfinished'}`
}

/** Undefined: it is no file of the storage. */
export function readFileName(name: string): { key: string; isWhole: boolean } | undefined {
  if (!name.startsWith(fileFolder)) return undefined
  const key = name.slice(fileFolder.length)
  const isWhole = !key.endsWith('.unfinished')
  return { key: isWhole ? key : key.slice(0, -'.unfinished'.length), isWhole }
}

const Table = Type.Object({ name: Type.String(), columns: Type.Array(Type.String()) })

const Header = Type.Object({
  product: Type.Literal('earshot'),
  format: Type.Integer(),
  appVersion: Type.String(),
  serverVersion: Type.String(),
  createdAt: Type.String(),
  migrations: Type.Array(Type.Object({ name: Type.String(), checksum: Type.String() })),
  jobQueueRevision: Type.Integer(),
  tables: Type.Array(Table),
  /** As estimated beforehand: of the rows in the database, and of the files. */
  estimatedBytes: Type.Object({ rows: Type.Number(), files: Type.Number() }),
  hasSecrets: Type.Boolean(),
})
export type Header = Static<typeof Header>
export type ArchivedTable = Static<typeof Table>

const Sequences = Type.Array(Type.Object({ name: Type.String(), lastValue: Type.String(), isCalled: Type.Boolean() }))
export type Sequences = Static<typeof Sequences>

/** `sum` of a table: see rows/row-sum.ts. `sha256` of a part: of its bytes in the archive. */
const Manifest = Type.Object({
  tables: Type.Array(
    Type.Object({ name: Type.String(), rows: Type.Number(), bytes: Type.Number(), sum: Type.String() }),
  ),
  files: Type.Object({
    count: Type.Number(),
    bytes: Type.Number(),
    /** Files that rows name and the storage lacks: how many, and some of them. */
    missing: Type.Number(),
    missingKeys: Type.Array(Type.String()),
  }),
  /** All but the files of the storage, whose checksums are in parts of their own. */
  parts: Type.Array(Type.Object({ name: Type.String(), bytes: Type.Number(), sha256: Type.String() })),
})
export type Manifest = Static<typeof Manifest>

export const readHeader = (json: Buffer) => parse(Header, json, headerName)
export const readSequences = (json: Buffer) => parse(Sequences, json, sequencesName)
export const readManifest = (json: Buffer) => parse(Manifest, json, manifestName)

function parse<S extends Type.TSchema>(schema: S, json: Buffer, name: string): Static<S> {
  try {
    const value: unknown = JSON.parse(json.toString('utf8'))
    if (Check(schema, value)) return value
  } catch {
    // Answered below.
  }
  throw damaged(name)
}

/** A part isn't as it was written. */
export function damaged(part: string): BackupError {
  return new BackupError(
    `The archive is damaged: ${part} is not as it was written. Nothing of it can be trusted; use another one.`,
  )
}
