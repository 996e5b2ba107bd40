import { run } from './bootstrap.js'

await run('scripts/build.ts')
