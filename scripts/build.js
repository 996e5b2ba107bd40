import { run } from './bootstrap.js'

await run('build.ts')
