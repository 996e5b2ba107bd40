import { run } from './bootstrap.js'

await run('dev.ts')
