import type { FunctionFile } from './migration-files.ts'

/** A file of functions without what locks tables, and what locks each table. Each text has its statements where the file has them. */
export interface FunctionParts {
  readonly functions: FunctionFile
  /** By table, in the order in which the file names them first. Empty: the file has neither policies nor triggers. */
  readonly tables: readonly TablePart[]
}

export interface TablePart extends FunctionFile {
  /** With its schema. */
  readonly table: string
}

// A string, a quoted name, a dollar-quoted body, a comment, or the end of a statement.
const token = /'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|;/g
const comments = /--[^\n]*|\/\*[\s\S]*?\*\//g

const onTable = [
  /^(?:drop|create)\s+policy\s+(?:if\s+exists\s+)?\w+\s+on\s+([\w.]+)/i,
  /^drop\s+trigger\s+(?:if\s+exists\s+)?\w+\s+on\s+([\w.]+)/i,
  /^create\s+(?:or\s+replace\s+)?(?:constraint\s+)?trigger\s[\s\S]*?\son\s+([\w.]+)/i,
  /^comment\s+on\s+(?:policy|trigger)\s+\w+\s+on\s+([\w.]+)/i,
  /^alter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?([\w.]+)/i,
]
const dropsFunction = /^drop\s+function\s/i

/**
 * Splits a file, so that no transaction locks more than one table. Policies and triggers lock their table against everyone. With two
 * locked in one transaction, a query that has one of them and wants the other waits for the migration, and the migration for it:
 * under steady load none of the migration's attempts succeeded. A table that the migration itself has locked is no second one.
 */
export function splitFunctions(file: FunctionFile): FunctionParts {
  const statements = splitStatements(file.sql)
  let before: string | undefined
  const owners = statements.map((text) => {
    const statement = text.replaceAll(comments, '').trim()
    const table = onTable.map((pattern) => pattern.exec(statement)?.[1]).find((found) => found !== undefined)
    // A function of a trigger is dropped after the trigger.
    const owner = table ?? (dropsFunction.test(statement) ? before : undefined)
    before = owner
    return owner
  })
  const take = (owner: string | undefined) =>
    statements.map((text, index) => (owners[index] === owner ? text : blank(text))).join('')
  const tables = [...new Set(owners)].filter((owner) => owner !== undefined)
  return {
    functions: { ...file, sql: take(undefined), isPart: tables.length > 0 },
    tables: tables.map((table, index) => ({ ...file, table, sql: take(table), isPart: index < tables.length - 1 })),
  }
}

/** Joined, they are the text. */
function splitStatements(sql: string): string[] {
  const ends = [...sql.matchAll(token)].filter(([text]) => text === ';').map(({ index }) => index + 1)
  return [...ends, sql.length].map((end, index) => sql.slice(ends[index - 1] ?? 0, end))
}

/** Errors name the line of the file. */
function blank(text: string): string {
  return text.replaceAll(/[^\n]+/g, (line) => ' '.repeat(line.length))
}
