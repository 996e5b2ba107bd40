import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { buildWidgetPolicy } from '#contract/widget-policy.ts'
import { widgetLocales } from '#contract/widget-settings.ts'
import { listInboxShortcuts } from '#web/features/feedback/inbox/use-inbox-keys.ts'
import { buildInstallGuides } from '#web/features/projects/install-snippets.ts'
import { readBlocks, readGuide } from './checks/guide-text.ts'

/* Guides that repeat what the code says: both say the same. */
const root = join(import.meta.dirname, '..')
const exec = promisify(execFile)
const read = (path: string) => readFile(join(root, path), 'utf8')

/** The part of a guide below a heading of the second level. */
function readSection(guide: string, heading: string): string {
  const [, section = ''] = new RegExp(`^## ${heading}\n(.*?)(?=^## |(?![^]))`, 'ms').exec(guide) ?? []
  return section
}

/** The texts in backticks of the first cells of a section's table. */
function readFirstCells(section: string): string[] {
  return [...section.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code),
  )
}

/** Names of the members of an interface. */
function readMembers(source: string, name: string): string[] {
  const [, body = ''] = new RegExp(`^export interface ${name} \\{\n(.*?)^\\}`, 'ms').exec(source) ?? []
  return [...body.matchAll(/^ {2}(\w+)[(<:]/gm)].map(([, member = '']) => member)
}

describe('the guide to the JavaScript API', () => {
  it('lists every command of the widget, and no other', async () => {
    const guide = await readGuide('javascript-api')
    const listed = readFirstCells(readSection(guide, 'Commands')).map((call) => call.replace(/\(.*/, ''))
    const declared = readMembers(await read('widget/sdk/widget/src/api.ts'), 'Commands')
    expect(listed.toSorted()).toEqual(declared.toSorted())
    const code = `${await read('widget/loader/loader.ts')}${await read('widget/panel/commands.ts')}`
    expect(listed.filter((name) => !new RegExp(`\\b${name}\\b[:(,]`).test(code))).toEqual([])
  })

  it('lists every event, mode and language', async () => {
    const guide = await readGuide('javascript-api')
    const source = await read('widget/sdk/widget/src/api.ts')
    const events = readMembers(source, 'EventDetails')
    expect(readFirstCells(readSection(guide, 'Events')).toSorted()).toEqual(events.toSorted())
    const [, modes = ''] = /type Mode = (.+)/.exec(source) ?? []
    for (const [, name] of modes.matchAll(/'(\w+)'/g)) expect(guide).toContain(`\`${name}\``)
    for (const locale of widgetLocales) expect(readSection(guide, 'Commands')).toContain(`\`${locale}\``)
  })
})

it('the TypeScript of the guide to the JavaScript API has types that fit', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-guide-'))
  try {
    const blocks = readBlocks(await readGuide('javascript-api')).filter(({ language }) => /^tsx?$/.test(language))
    const files = blocks.map(({ language }, index) => `block-${index}.${language}`)
    await Promise.all(blocks.map(({ text }, index) => writeFile(join(folder, files[index] ?? ''), text)))
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        lib: ['ES2022', 'DOM', 'DOM.Iterable'],
        typeRoots: [join(root, 'node_modules/@types')],
        types: ['react'],
        paths: {
          '@earshot/widget': [join(root, 'widget/sdk/widget/src/index.ts')],
          '@earshot/react': [join(root, 'widget/sdk/react/src/index.ts')],
          'react/jsx-runtime': [join(root, 'node_modules/@types/react/jsx-runtime.d.ts')],
        },
      },
      include: [],
      exclude: [],
      files,
    }
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const tsc = join(root, 'node_modules/.bin/tsc')
    const { stdout } = await exec(tsc, ['-p', folder]).catch((error: { stdout: string }) => error)
    expect([files.length, stdout]).toEqual([2, ''])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

describe('the guide “Install the widget”', () => {
  it('has the code of the installation guide of a project', async () => {
    const blocks = readBlocks(await readGuide('install-the-widget')).map(({ text }) => text)
    const wanted = buildInstallGuides('https://{{host}}', '{{key}}').map(({ code }) => code)
    expect(wanted.filter((code) => !blocks.includes(code))).toEqual([])
  })

  it('has the address of the widget in every tab', async () => {
    const guide = await readGuide('install-the-widget')
    const [, tabs = ''] = /^:::tabs\n(.*?)^:::$/ms.exec(guide) ?? []
    const parts = tabs.split(/^::tab /m).slice(1)
    expect(parts).toHaveLength(14)
    expect(parts.filter((part) => !part.includes('https://{{host}}/e/{{key}}.js'))).toEqual([])
  })
})

it('the guide to content security policies has the policy that projects show', async () => {
  const blocks = readBlocks(await readGuide('content-security-policy')).map(({ text }) => text)
  expect(blocks).toContain(buildWidgetPolicy('https://{{host}}'))
})

it('the guide to the inbox lists its shortcuts, in the words of the help', async () => {
  const section = readSection(await readGuide('work-with-feedback'), 'Keyboard shortcuts')
  const missing = listInboxShortcuts(true)
    .flatMap(({ shortcuts }) => shortcuts)
    .filter(({ keys, text }) => {
      const row = section.split('\n').find((line) => line.includes(text)) ?? ''
      return !keys.every((key) => key === '…' || ['⌘', '↓', '↑'].includes(key) || row.includes(key))
    })
  expect(missing).toEqual([])
})

it('the guide to plans has the plans of a new instance', async () => {
  const seed = await read('db/migrations/0040_plans.sql')
  const rows = [...seed.matchAll(/^ {2}\('\w+', '(\w+)', '.*?', (\d+), (\d+), (\w+), (\w+), (\d+), \d+\)/gm)]
  const guide = await readGuide('plans')
  expect(rows).toHaveLength(3)
  for (const [, name, monthly, yearly, projects, members, items] of rows) {
    const dollars = (cents = '') => `$${(Number(cents) / 100).toLocaleString('en')}`
    const limit = (max = '') => (max === 'null' ? 'unlimited' : Number(max).toLocaleString('en'))
    const cells = [name, dollars(monthly), dollars(yearly), limit(projects), limit(members), limit(items)]
    expect(guide).toContain(`| ${cells.join(' | ')} |`)
  }
})
