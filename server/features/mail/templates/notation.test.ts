import { describe, expect, it } from 'vitest'
import { fill, findStrayBraces, findVariables, splitParagraphs } from './notation.ts'

describe('fill', () => {
  it.each([
    ['a {{b}} c', { b: 'B' }, 'a B c'],
    ['a {{ b }} c', { b: 'B' }, 'a B c'],
    ['{{a}}{{b}}', { a: '', b: 'B' }, 'B'],
    ['ends {{a}}{{b}}', { a: '', b: 'today' }, 'ends today'],
    ['ends {{a}}{{b}}', { a: 'soon', b: '' }, 'ends soon'],
    ['a {{b}} c', { b: '' }, 'a c'],
    ['a {{b}} {{c}} d', { b: '', c: '' }, 'a d'],
    ['{{b}} c', { b: '' }, 'c'],
    ['a {{b}}', { b: '' }, 'a'],
    ['a {{b}}.', { b: '' }, 'a .'],
    ['a {{b}}', {}, 'a'],
    ['{{toString}}x', {}, 'x'],
    ['{b} {{{b}}} $& {{1}}', { b: 'B' }, '{b} {B} $& {{1}}'],
  ])('fills %j with %j', (text, values, filled) => {
    expect(fill(text, values as Record<string, string>)).toBe(filled)
  })

  it('never reads a value as notation', () => {
    expect(fill('{{a}} {{b}}', { a: '{{b}}', b: '$1 {{a}}' })).toBe('{{b}} $1 {{a}}')
  })

  it('keeps a value from turning the text behind it around', () => {
    expect(fill('From {{a}} to you', { a: '\u202Eevil\u2066' })).toBe('From evil to you')
  })
})

describe('findStrayBraces', () => {
  it.each([
    ['a {{b}} {c} }', undefined],
    ['{{#if b}}x{{/if}}', '{{#if b}}'],
    ['{{b', '{{'],
    ['b}}', '}}'],
    ['{{a.b}}', '{{a.b}}'],
    ['{{{b}}}', undefined],
  ])('finds in %j: %j', (text, found) => {
    expect(findStrayBraces(text)).toBe(found)
  })
})

describe('findVariables', () => {
  it('names each once', () => {
    expect(findVariables('{{a}} {{ b }} {{a}} {{}} {{c-d}}')).toEqual(['a', 'b'])
  })
})

describe('splitParagraphs', () => {
  it('begins a paragraph after a blank line, and reads a single line break as a space', () => {
    expect(splitParagraphs('One\nline. \n \nTwo\n\n\n\n Three ')).toEqual(['One line.', 'Two', 'Three'])
  })
})
