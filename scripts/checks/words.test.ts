import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findWords } from './find-words.ts'
import { allowedWords } from './refused-words.ts'

const folder = mkdtempSync(join(tmpdir(), 'earshot-words-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function checkWords(...paths: string[]) {
  const run = spawnSync(process.execPath, [join(import.meta.dirname, 'words.ts'), ...paths], { encoding: 'utf8' })
  return { code: run.status, output: run.stdout + run.stderr }
}

function phrases(text: string, file = 'a.ts'): string[] {
  return findWords(file, text).map((hit) => hit.phrase)
}

describe('refused words', () => {
  it('are found in any letter case, with the line and a replacement', () => {
    expect(findWords('a.ts', '// One.\n// Tell somebody.\n\n// Nobody reads it.')).toEqual([
      { line: 2, phrase: 'somebody', instead: expect.stringContaining('someone') },
      { line: 4, phrase: 'Nobody', instead: expect.stringContaining('no one') },
    ])
  })

  it.each([
    ['a block comment', '/**\n * The rows are gone for\n * good.\n */', 'for good', 2],
    ['line comments', '  // The rows are gone for\n  // good.', 'for good', 1],
    ['SQL comments', 'select 1;\n-- The rows are gone for\n-- good.', 'for good', 2],
    ['a paragraph', '# Title\n\nThe rows are gone for\ngood.', 'for good', 3],
  ])('are found where %s breaks them over two lines', (_, text, phrase, line) => {
    expect(findWords('a', text)).toEqual([{ line, phrase, instead: 'permanently' }])
  })

  it('are not found across paragraphs or inside longer words', () => {
    expect(phrases('Good for\n\ngood reasons. isNobody and somebodyElse')).toEqual([])
  })

  it('include pronoun clauses at the start of a sentence, not questions and objects', () => {
    expect(phrases('// What was read stays. It says what was read.')).toEqual(['What was'])
    expect(phrases("label: 'What is on your mind?'")).toEqual([])
    expect(phrases("it('what is read stays', …)")).toEqual(["it('what"])
  })

  it('include mail for messages and addresses, not for the machinery', () => {
    expect(phrases('Sends a mail to the mail address.')).toEqual(['a mail', 'mail address'])
    expect(phrases('The mail catcher and a mail server deliver each email.')).toEqual([])
  })

  it('include texts of screens that were replaced', () => {
    expect(phrases('<a href="/">To the front page</a>')).toEqual(['To the front page'])
    expect(phrases('<p>It’s in your team’s inbox a moment later.</p>')).toEqual([])
  })

  it('can be allowed in one file', () => {
    const allowed = [{ file: 'corpus.ts', phrase: 'nobody', reason: 'a visitor wrote it' }]
    expect(findWords('corpus.ts', 'Nobody or somebody', { allowed }).map((hit) => hit.phrase)).toEqual(['somebody'])
    expect(findWords('other.ts', 'Nobody', { allowed })).toHaveLength(1)
  })

  it('are allowed only with a reason', () => {
    for (const { reason } of allowedWords) expect(reason.length).toBeGreaterThan(10)
  })
})

describe('the command', () => {
  it('prints file, line, phrase and replacement, and fails', () => {
    const file = join(folder, 'hit.md')
    writeFileSync(file, 'One line.\nDeleted for good.\n')
    const { code, output } = checkWords(file)
    expect(code).toBe(1)
    expect(output).toMatch(/hit\.md:2: "for good" → permanently/)
  })

  it('reads folders, and only text that people write', () => {
    writeFileSync(join(folder, 'clean.ts'), '// Nothing to see.\n')
    writeFileSync(join(folder, 'data.json'), '"somebody"')
    rmSync(join(folder, 'hit.md'), { force: true })
    expect(checkWords(folder)).toEqual({ code: 0, output: '' })
  })
})
