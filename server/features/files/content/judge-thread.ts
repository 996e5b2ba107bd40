/* What runs in the thread of judge-apart.ts: judges one file and says what it found. */
import { parentPort, workerData } from 'node:worker_threads'
import type { JudgedFile } from './judge-apart.ts'
import { judgeContent, type Verdict } from './judge-content.ts'

const { path, ...file } = workerData as JudgedFile
const verdict: Verdict = await judgeContent(path, file)
parentPort?.postMessage(verdict)
