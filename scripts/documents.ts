/*
 * Generates documents from the code: docs/openapi.json, docs/access.md and the types of @earshot/client from the route
 * contracts, docs/guides/webhook-events.md and docs/guides/product-analytics.md from the events, docs/guides/monitoring.md from the figures and checks, docs/guides/email-templates.md from the templates, and .env.example from the settings. With --check it writes nothing and fails if one is stale.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'
import { settingsPlaceholder } from '#server/features/widget/widget-build.ts'
import { createFeatures } from '#server/features.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { createSharedBuckets } from '#server/platform/limits/shared-buckets.ts'
import { createLog } from '#server/platform/log/log.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createReadOnly } from '#server/platform/read-only/read-only.ts'
import { toPublicConfig } from '#server/public-config.ts'
import { settings } from '#server/settings.ts'
import { writeAccessPage } from '#server/testing/access-page.ts'
import { contracts } from '#server/testing/contracts.ts'
import { gates } from '#server/testing/gather-facts.ts'
import { printAnalyticsGuide } from './analytics-guide.ts'
import { printClient } from './client-types.ts'
import { printEmailTemplatesGuide } from './email-templates-guide.ts'
import { printEventCatalogue } from './event-catalogue.ts'
import { printMonitoringGuide } from './monitoring-guide.ts'

const check = process.argv.includes('--check')
const documents = [
  { path: 'docs/openapi.json', text: await printOpenApi() },
  { path: 'docs/access.md', text: writeAccessPage(contracts, gates) },
  { path: 'docs/guides/webhook-events.md', text: printEventCatalogue() },
  { path: 'docs/guides/product-analytics.md', text: printAnalyticsGuide() },
  { path: 'docs/guides/monitoring.md', text: printMonitoringGuide() },
  { path: 'docs/guides/email-templates.md', text: printEmailTemplatesGuide() },
  { path: '.env.example', text: printEnvExample() },
  { path: 'widget/sdk/client/src/operations.generated.ts', text: formatCode(printClient()) },
]
mkdirSync('docs', { recursive: true })
for (const { path, text } of documents) {
  if (readOrEmpty(path) === text) continue
  if (check) {
    process.stderr.write(`${path} is out of date. Run \`npm run documents\`.\n`)
    process.exitCode = 1
  } else writeFileSync(path, text)
}

async function printOpenApi(): Promise<string> {
  // The routes are registered but never called, so no service is started. With an external auth server, the GoTrue and
  // PostgREST routes stay out of the document.
  const config = loadConfig({
    APP_URL: 'https://earshot.example',
    SUPABASE_URL: 'https://project.supabase.example',
    SUPABASE_ANON_KEY: 'key',
    NODE_ENV: 'production',
  })
  const log = createLog({ level: 'silent' })
  const databaseUrl = 'postgres://none@nowhere.example/none'
  const widgetFolder = await writeEmptyWidget()
  const database = openDatabase({ url: databaseUrl, log, maxConnections: 1 })
  const platform = {
    config: { ...config, databaseUrl },
    log,
    database,
    buckets: createSharedBuckets(database, log),
    secret: { deriveKey: () => Buffer.alloc(32) },
    readOnly: createReadOnly(database, log),
    metrics: null,
    widgetFolder,
    // Routes are declared, and none runs: the rest of the platform is not read.
  } as unknown as Platform
  const app = await createApp(platform, createFeatures(platform), {
    publicConfig: toPublicConfig(config, ''),
    checks: {},
  })
  await app.ready()
  const document = app.swagger()
  // By address: the order of the features is no change of the API.
  const paths = Object.fromEntries(Object.entries(document.paths ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)))
  const text = JSON.stringify({ ...document, paths }, null, 2)
  await app.close()
  await rm(widgetFolder, { recursive: true })
  return `${text}\n`
}

/** As the formatter of this project would leave it. */
function formatCode(text: string): string {
  const biome = join(import.meta.dirname, '../node_modules/.bin/biome')
  return execFileSync(biome, ['format', '--stdin-file-path=operations.ts'], { input: text, encoding: 'utf8' })
}

/** The routes of the widget's code ask for a built widget; what it holds makes no difference here. */
async function writeEmptyWidget(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-documents-'))
  await mkdir(join(folder, 'none', 'locales'), { recursive: true })
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ loader: 'loader.js', build: 'none' }))
  await writeFile(join(folder, 'loader.js'), settingsPlaceholder)
  await writeFile(join(folder, 'none', 'locales', 'en.json'), '{}')
  await writeFile(join(folder, 'none', 'preview.html'), '')
  await writeFile(join(folder, 'none', 'trial.html'), '')
  return folder
}

function printEnvExample(): string {
  const lines = Object.entries(settings).map(([name, { sentence, fallback }]) => {
    const value = fallback === null ? '' : typeof fallback === 'boolean' ? (fallback ? 'on' : 'off') : String(fallback)
    return `# ${sentence}\n#${name}=${value}\n`
  })
  return `# Every setting, with its default. All are optional.\n\n${lines.join('\n')}`
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
