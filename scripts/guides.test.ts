import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { settings } from '#server/settings.ts'
import { listGuides, readBlocks, readGuide, readProse } from './checks/guide-text.ts'

const root = join(import.meta.dirname, '..')
const exec = promisify(execFile)

const sections = [
  'Start',
  'Install the widget',
  'Widget',
  'Work with feedback',
  'Integrations',
  'API and agents',
  'Run Earshot',
  'Privacy and security',
  'Plans and billing',
  'Help',
]

/** Text of each guide by its name. */
const guides = new Map<string, string>()
beforeAll(async () => {
  for (const name of await listGuides()) guides.set(name, await readGuide(name))
})

/** What fails, over all guides: an empty list passes. */
const findFailures = (find: (text: string, name: string) => readonly string[]) =>
  [...guides].flatMap(([name, text]) => find(text, name).map((failure) => `${name}: ${failure}`))

const parseFrontMatter = (text: string) =>
  /^---\ntitle: (?<title>.+)\ndescription: (?<description>.+)\nsection: (?<section>.+)\norder: (?<order>[1-9]\d*)\n---\n\n# (?<heading>.+)\n/.exec(
    text,
  )?.groups

/** An anchor as the pages make it of a heading. */
const slugify = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')

describe('guides', () => {
  it('say title, description, section and place, and begin with their title', () => {
    const failures = findFailures((text) => {
      const found = parseFrontMatter(text)
      if (!found) return ['no front matter']
      const { title = '', description = '', section = '', heading } = found
      return [
        ...(heading === title ? [] : [`the heading differs from “${title}”`]),
        ...(sections.includes(section) ? [] : [`unknown section ${section}`]),
        // Search engines cut longer ones.
        ...(description.length <= 160 ? [] : [`description of ${description.length} characters`]),
        // Values stand without quotation marks.
        ...([title, description].some((value) => /: | #|^["'[{>|*&!%@`]/.test(value)) ? ['not plain YAML'] : []),
      ]
    })
    expect(failures).toEqual([])
  })

  it('have a place of their own in their section', () => {
    const places = [...guides.values()].map((text) => {
      const { section, order } = parseFrontMatter(text) ?? {}
      return `${section} ${order}`
    })
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([])
    expect(new Set(places.map((place) => place.replace(/ \d+$/, '')))).toEqual(new Set(sections))
  })

  it('link to guides, headings and files that exist', () => {
    const headingsOf = (text: string) =>
      [...readProse(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => slugify(heading))
    const failures = findFailures((text, name) =>
      [...readProse(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
        if (/^(https?:|mailto:|\/)/.test(target)) return []
        const [path = '', anchor] = target.split('#')
        const file = path === '' ? `docs/guides/${name}.md` : posix.normalize(`docs/guides/${path}`)
        if (!existsSync(join(root, file))) return [`no file ${target}`]
        if (anchor === undefined || !file.endsWith('.md')) return []
        return headingsOf(readFileSync(join(root, file), 'utf8')).includes(anchor) ? [] : [`no heading ${target}`]
      }),
    )
    expect(failures).toEqual([])
  })

  it('name only settings that there are', () => {
    const failures = findFailures((text) =>
      [...text.matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])`/g)].flatMap(([, name = '']) =>
        name in settings || notOurs.has(name) ? [] : [name],
      ),
    )
    expect(failures).toEqual([])
  })

  it('set only settings that there are', () => {
    const failures = findFailures((text) =>
      readBlocks(text)
        .filter(({ language }) => ['bash', 'sh', 'ini', ''].includes(language))
        .flatMap(({ text: block }) => [...block.matchAll(/^(?:Environment=|export )?([A-Z][A-Z0-9_]{3,})=/gm)])
        .flatMap(([, name = '']) => (name in settings || notOurs.has(name) ? [] : [name])),
    )
    expect(failures).toEqual([])
  })

  it('name only npm scripts and programs that there are', async () => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { scripts: object }
    const failures = findFailures((text) => [
      ...[...text.matchAll(/npm run ([a-z][a-z:-]*)/g)].flatMap(([, name = '']) => (name in scripts ? [] : [name])),
      ...[...text.matchAll(/node ((?:scripts|bench)\/[a-z/-]+\.[jt]s)/g)].flatMap(([, file = '']) =>
        existsSync(join(root, file)) ? [] : [file],
      ),
    ])
    expect(failures).toEqual([])
  })

  it('show shell commands and JSON that can be read', async () => {
    const failures: string[] = []
    for (const [name, text] of guides) {
      for (const { language, text: block } of readBlocks(text)) {
        if (language === 'bash' || language === 'sh') {
          await exec('bash', ['-n', '-c', block]).catch((error) => failures.push(`${name}: ${error.message}`))
        } else if (language === 'json') {
          try {
            JSON.parse(block)
          } catch (error) {
            failures.push(`${name}: ${error}`)
          }
        }
      }
    }
    expect(failures).toEqual([])
  })

  it('call only operations of the API that there are', async () => {
    const { paths } = JSON.parse(await readFile(join(root, 'docs/openapi.json'), 'utf8')) as {
      paths: Record<string, Record<string, object>>
    }
    // Answered outside of the documented operations: files of visitors, and what other services call.
    const known = [...Object.entries(paths), ['/e/{widgetKey}/uploads', { post: {} }] as const]
    const failures = findFailures((text) =>
      readBlocks(text)
        .filter(({ language, text: block }) => language === 'bash' && block.includes('/api/v1/'))
        .flatMap(({ text: block }) => [
          ...block.matchAll(/curl[^"]*"https:\/\/\{\{host\}\}([^"?]+)(?:.|\n)*?(?=\ncurl|$)/g),
        ])
        .flatMap(([command, path = '']) => {
          const named = /--request ([A-Z]+)/.exec(command)?.[1]?.toLowerCase()
          const method = named ?? (/--data/.test(command) && !command.includes('--get') ? 'post' : 'get')
          const parts = path.split('/')
          const isKnown = known.some(([template, methods]) => {
            const wanted = template.split('/')
            return (
              method in methods &&
              wanted.length === parts.length &&
              wanted.every((part, index) => part.startsWith('{') || part === parts[index])
            )
          })
          return isKnown ? [] : [`${method} ${path}`]
        }),
    )
    expect(failures).toEqual([])
  })

  it('close every group of tabs, and name each tab once', () => {
    const failures = findFailures((text) => {
      const groups = [...text.matchAll(/^:::tabs\n(.*?)^:::$/gms)]
      const marks = text.match(/^:::/gm)?.length ?? 0
      const tabs = groups.map(([, body = '']) => [...body.matchAll(/^::tab (.+)$/gm)].map(([, label]) => label))
      return [
        ...(marks === groups.length * 2 ? [] : ['a group of tabs is not closed']),
        ...(tabs.every((labels) => labels.length > 1 && new Set(labels).size === labels.length) ? [] : ['tabs']),
      ]
    })
    expect(failures).toEqual([])
  })
})

describe('posts of the blog', () => {
  it('say title, address, description, tags and date', async () => {
    const folder = join(root, 'docs/blog')
    const slugs = await Promise.all(
      (await readdir(folder)).map(async (file) => {
        const text = await readFile(join(folder, file), 'utf8')
        const found =
          /^---\ntitle: .+\nslug: (?<slug>[a-z0-9-]+)\ndescription: .+\ntags: [a-z0-9-]+(?:, [a-z0-9-]+)*\ndate: \d{4}-\d{2}-\d{2}\n---\n\n/.exec(
            text,
          )?.groups
        return [file, found?.slug]
      }),
    )
    expect(slugs.map(([file, slug]) => [file, `${slug}.md`])).toEqual(slugs.map(([file]) => [file, file]))
  })

  it('link to guides that exist', async () => {
    const folder = join(root, 'docs/blog')
    const texts = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')))
    const targets = texts.flatMap((text) => [...text.matchAll(/\]\((\/[^)]*)\)/g)].map(([, target = '']) => target))
    expect(targets.length).toBeGreaterThan(0)
    expect(targets.filter((target) => !guides.has(target.replace('/docs/guides/', '')))).toEqual([])
  })
})

/** Settings of other programs, and variables of examples. */
const notOurs = new Set([
  ...['WIDGET_KEY', 'FILE_ID', 'SUPERUSER_URL', 'NEW_SERVER_URL', 'NEW_SUPERUSER_URL'],
  ...['NODE_EXTRA_CA_CERTS', 'HTTP_PROXY', 'HTTPS_PROXY', 'RAILWAY_RUN_UID'],
])
