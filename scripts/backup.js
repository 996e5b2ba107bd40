import { run } from './bootstrap.js'

await run('backup.ts')
