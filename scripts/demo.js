import { run } from './bootstrap.js'

await run('demo.ts')
