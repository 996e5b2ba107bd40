import { run } from './bootstrap.js'

await run('scripts/test.ts')
