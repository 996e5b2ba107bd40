import { run } from './bootstrap.js'

await run('doctor.ts')
