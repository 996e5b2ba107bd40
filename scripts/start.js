import { run } from './bootstrap.js'

await run('start.ts')
