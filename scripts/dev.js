import { run } from './bootstrap.js'

await run('scripts/dev.ts')
