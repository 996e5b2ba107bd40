import { describe, expect, it } from 'vitest'
import { fileTypeAliases, keptFileTypes } from '#contract/files.ts'
import { isKept } from './kept-files.ts'

const make = (content: string | Uint8Array<ArrayBuffer>, name: string, type = '') => new File([content], name, { type })
const binary = new Uint8Array([1, 2, 0, 255])
const types = keptFileTypes.split(',').filter((type) => !/^text|json/.test(type))

describe('isKept', () => {
  // The widget may import only types of the contract, so it repeats the list.
  it.each([...types, ...Object.keys(fileTypeAliases)])('takes what the contract lists: %s', async (type) => {
    expect(await isKept(make(binary, 'a', type))).toBe(true)
  })

  it.each([
    ['server.log', ''],
    ['table.csv', 'text/csv'],
    ['page.har', ''],
    ['settings.yml', 'application/x-yaml'],
    ['script.js', 'text/javascript'],
    ['unknown.ending', 'application/octet-stream'],
  ])('takes text, whatever it is called: %s', async (name, type) => {
    expect(await isKept(make('\u001b[31mエラー <b> 1;2\r\n', name, type))).toBe(true)
  })

  it('takes a text that is cut within a character where the look at it ends', async () => {
    expect(await isKept(make(`a${'€'.repeat(30_000)}`, 'long.txt'))).toBe(true)
  })

  it.each([
    ['bad.exe', 'application/x-msdownload', 'MZ'],
    ['bad.exe', '', 'hello'],
    ['program', '', binary],
    ['letter.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', binary],
    ['photo.heic', 'image/heic', binary],
    ['film.mov', 'video/quicktime', binary],
    ['packed.gz', 'application/gzip', binary],
    ['page.html', 'text/html', ' \n<!doctype html><p>'],
    ['drawing.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"></svg>'],
    ['latin.txt', 'text/plain', new Uint8Array([0x61, 0xe4, 0x62])],
    ['empty.txt', 'text/plain', ''],
  ])('refuses %s (%s)', async (name, type, content) => {
    expect(await isKept(make(content, name, type))).toBe(false)
  })
})
