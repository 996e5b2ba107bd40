import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const cleanUp = join(import.meta.dirname, 'clean-up.ts')

/** Runs lines of code in a process whose services print when they are stopped. */
async function run(code: string): Promise<{ code: unknown; stdout: string }> {
  const script = `
    import { createCleanUp, stopOnBugs } from ${JSON.stringify(cleanUp)}
    const cleanUp = createCleanUp()
    cleanUp.add({ stop: async () => console.log('stopped') })
    stopOnBugs(cleanUp, (error) => console.log('reported: ' + error.message))
    setTimeout(() => {}, 60_000)
    ${code}`
  // execFile rejects with these fields when the code isn't 0.
  return promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: unknown; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
  )
}

describe('stopOnBugs', () => {
  it.each([
    ['rejection', `Promise.reject(new Error('a bug'))`],
    ['exception', `setTimeout(() => { throw new Error('a bug') }, 1)`],
  ])('reports an unhandled %s, stops all services and ends with code 1', async (_kind, code) => {
    expect(await run(code)).toEqual({ code: 1, stdout: 'reported: a bug\nstopped\n' })
  })
})
