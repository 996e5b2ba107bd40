/*
 * Prints the documents that come from the code: docs/openapi.json from the route contracts and .env.example from the
 * settings. With --check it writes nothing and fails where one is stale.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { type AppParts, createApp } from '#server/app.ts'
import { loadConfig, settings } from '#server/config.ts'
import { createLog } from '#server/platform/log/log.ts'

const check = process.argv.includes('--check')
const documents = [
  { path: 'docs/openapi.json', text: await printOpenApi() },
  { path: '.env.example', text: printEnvExample() },
]
mkdirSync('docs', { recursive: true })
for (const { path, text } of documents) {
  if (readOrEmpty(path) === text) continue
  if (check) {
    process.stderr.write(`${path} is not what the code says. Run \`npm run documents\`.\n`)
    process.exitCode = 1
  } else writeFileSync(path, text)
}

async function printOpenApi(): Promise<string> {
  // The routes are registered and never called, so nothing stands behind them. With an external auth server the
  // protocols that are not ours to describe stay out.
  const config = loadConfig({
    APP_URL: 'https://earshot.example',
    SUPABASE_URL: 'https://project.supabase.example',
    SUPABASE_ANON_KEY: 'key',
    NODE_ENV: 'production',
  })
  const nothing = {} as AppParts
  const app = await createApp({
    ...nothing,
    config,
    log: createLog({ level: 'silent' }),
    metrics: null,
    auth: { publishableKey: '', verifyAccessToken: () => Promise.reject(new Error('not called')), server: undefined },
    triage: {} as AppParts['triage'],
    widget: {
      build: { folder: tmpdir(), name: '', loader: '', words: { en: {} }, previewPage: '' },
    } as unknown as AppParts['widget'],
  })
  await app.ready()
  const text = JSON.stringify(app.swagger(), null, 2)
  await app.close()
  return `${text}\n`
}

function printEnvExample(): string {
  const lines = Object.entries(settings).map(([name, { sentence, fallback }]) => {
    const value = fallback === null ? '' : typeof fallback === 'boolean' ? (fallback ? 'on' : 'off') : String(fallback)
    return `# ${sentence}\n#${name}=${value}\n`
  })
  return `# Every setting, with its default. Nothing has to be set.\n\n${lines.join('\n')}`
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
