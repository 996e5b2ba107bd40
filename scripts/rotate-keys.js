import { run } from './bootstrap.js'

await run('rotate-keys.ts')
