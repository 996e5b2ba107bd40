/* What runs in the process of judge-apart.ts: judges one file and prints what it found. */
import type { JudgedFile } from './judge-apart.ts'
import { judgeContent } from './judge-content.ts'

// Written by judge-apart.ts.
const { path, ...file } = JSON.parse(process.argv[2] ?? '') as JudgedFile
process.stdout.write(JSON.stringify(await judgeContent(path, file)))
