/** A weakness, put in on purpose: some test has to fail with it. */
export interface Mutant {
  /** What the product no longer does. */
  readonly name: string
  readonly change: CodeChange | DatabaseChange
  /** Test files that should notice, beginning with the one that most likely does. */
  readonly tests: readonly string[]
}

/** Replaces text of source files as they are loaded; each text occurs once. */
export interface CodeChange {
  readonly kind: 'code'
  readonly edits: readonly { readonly file: string; readonly find: string; readonly put: string }[]
}

/** Runs SQL on the migrated database, as its owner. */
export interface DatabaseChange {
  readonly kind: 'database'
  readonly sql: string
}

export function inCode(file: string, find: string, put: string): CodeChange {
  return { kind: 'code', edits: [{ file, find, put }] }
}

export function inDatabase(sql: string): DatabaseChange {
  return { kind: 'database', sql }
}

/** Replaces text in a function's definition. @param name with its schema; no other function has it. */
export function inFunction(name: string, find: string, put: string): DatabaseChange {
  return inDatabase(`
    do $mutant$
    declare
      v_old constant text := pg_get_functiondef('${name}'::regproc);
      v_new constant text := replace(v_old, ${quote(find)}, ${quote(put)});
    begin
      if v_new = v_old then raise exception 'the definition of ${name} does not contain the text'; end if;
      execute v_new;
    end
    $mutant$`)
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** The file's text with the change. @throws Error unless each text to replace occurs once. */
export function applyEdits({ edits }: CodeChange, file: string, source: string): string {
  return edits
    .filter((edit) => edit.file === file)
    .reduce((text, { find, put }) => {
      const parts = text.split(find)
      if (parts.length !== 2) throw new Error(`${file} contains ${parts.length - 1} times: ${find}`)
      return parts.join(put)
    }, source)
}
