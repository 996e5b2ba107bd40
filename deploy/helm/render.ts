import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { settings } from '#server/settings.ts'
import { findHelm } from './find-helm.ts'

const exec = promisify(execFile)
export const chart = join(import.meta.dirname, 'earshot')
const kubernetes = join(import.meta.dirname, '../kubernetes')

/** Settings that the chart decides, or that make no sense in a pod. */
const chartsOwn = ['APP_URL', 'DATA_DIR', 'HOST', 'HOT_RELOAD', 'NODE_ENV', 'PORT', 'SERVICES']

/** Runs helm. @throws Error with what it wrote. */
export async function runHelm(...args: readonly string[]): Promise<string> {
  return (await exec(await findHelm(), [...args], { maxBuffer: 10_000_000 })).stdout
}

/** The chart as `helm install earshot` sends it. */
export function render(values: Readonly<Record<string, string>> = {}): Promise<string> {
  const flags = Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`])
  return runHelm('template', 'earshot', chart, '--namespace', 'earshot', ...flags)
}

/** The files that are made from the chart and from the settings, by their path. */
export async function renderFiles(): Promise<Record<string, string>> {
  return {
    [join(kubernetes, 'single.yaml')]: introduce(
      'one pod with the built-in PostgreSQL and a volume',
      await render({ split: 'false' }),
    ),
    [join(kubernetes, 'split.yaml')]: introduce(
      'web and worker apart, on a PostgreSQL and an object store of your own',
      await render({ split: 'true' }),
    ),
    [join(chart, 'values.schema.json')]: `${JSON.stringify(await describeValues(), null, 2)}\n`,
  }
}

function introduce(what: string, rendered: string): string {
  const own = rendered.replaceAll(/^ *(app\.kubernetes\.io\/managed-by: Helm|helm\.sh\/chart: .*|# Source: .*)\n/gm, '')
  return `# Earshot on Kubernetes: ${what}.
# Made from the chart in deploy/helm/earshot by \`node deploy/helm/write-files.ts\`; docs/guides/kubernetes.md says what to change.
${own.replaceAll(/^# Source: .*\n/gm, '')}`
}

/** What values may be given: a setting that does not exist is refused before anything is installed. */
async function describeValues(): Promise<object> {
  const names = Object.keys(settings).filter((name) => !chartsOwn.includes(name))
  const top = (await readFile(join(chart, 'values.yaml'), 'utf8')).matchAll(/^([a-zA-Z]+):/gm)
  return {
    $schema: 'https://json-schema.org/draft-07/schema#',
    type: 'object',
    additionalProperties: false,
    properties: {
      ...Object.fromEntries([...top].map(([, name]) => [name, {}])),
      global: {},
      appUrl: { type: 'string', pattern: '^https?://[^/]+(/.*)?$' },
      existingSecret: { type: 'string', minLength: 1 },
      split: { type: 'boolean' },
      settings: {
        type: 'object',
        propertyNames: { enum: names },
        additionalProperties: { type: ['string', 'number', 'boolean'] },
      },
    },
  }
}
