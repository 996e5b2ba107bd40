import { run } from './bootstrap.js'

await run('cli/earshot.ts')
