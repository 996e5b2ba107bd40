import { run } from './bootstrap.js'

await run('restore.ts')
