import { run } from './bootstrap.js'

await run('test.ts')
