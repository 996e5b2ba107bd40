import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readBlocks, readGuide } from '../scripts/checks/guide-text.ts'
import { render } from './helm/render.ts'
import { readStages, root } from './image/read-dockerfile.ts'
import { readDeployFile } from './settings-used.ts'

const names = ['docker', 'kubernetes', 'systemd', 'self-hosting']
const guides = await Promise.all(names.map(async (name) => [name, await readGuide(name)] as const))

describe.each(guides)('the guide %s', (_name, text) => {
  it('names files of deploy/ that exist', () => {
    const paths = [...text.matchAll(/\bdeploy\/[\w./-]*[\w]/g)].map(([path]) => path)
    // The reader writes this one.
    expect(paths.filter((path) => path !== 'deploy/.env' && !existsSync(join(root, path)))).toEqual([])
  })

  it('gives the image only arguments that it has', () => {
    for (const [, name = '', value = ''] of text.matchAll(/--build-arg (\w+)=(\w+)/g)) {
      expect(readStages({ [name]: value }).at(-1)?.base).toContain(value)
    }
  })

  it('runs commands of Earshot that exist', () => {
    const commands = readBlocks(text).flatMap(({ text: block }) =>
      [...block.matchAll(/(?:exec earshot earshot|-- earshot|bin\/earshot) (\w+)/g)].map(
        ([, command]) => command ?? '',
      ),
    )
    expect(
      commands.filter(
        (command) => !existsSync(join(root, `cli/${command}.ts`)) && !existsSync(join(root, `cli/${command}`)),
      ),
    ).toEqual([])
  })
})

it('the guide to Kubernetes installs the chart with values that it takes, and names its pod', async () => {
  const text = await readGuide('kubernetes')
  const values = [...text.matchAll(/--set ([\w.]+)=(\S+?)`?(?=\s)/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  )
  expect(values.map(([name]) => name)).toContain('split')
  const rendered = await render(Object.fromEntries(values.filter(([name]) => name !== 'split')))
  expect(rendered).toContain('image: "registry.example.com/earshot:')
  expect(rendered).toMatch(/kind: StatefulSet\nmetadata:\n {2}name: earshot\n/)
  expect(text).toContain('exec earshot-0 -- earshot doctor')
  // The chart names the Secret that the guide creates.
  expect(parse(readDeployFile('helm/earshot/values.yaml'))).toMatchObject({ existingSecret: 'earshot' })
  expect(text).toContain('create secret generic earshot ')
})

it('the guide to systemd leads to the paths of the unit', async () => {
  const text = await readGuide('systemd')
  const unit = readDeployFile('systemd/earshot.service')
  for (const path of ['/etc/earshot.env', '/opt/earshot', '/var/lib/earshot']) {
    expect(unit).toContain(path)
    expect(text).toContain(path)
  }
})
