import { describe, expect, it } from 'vitest'
import { runTool, ToolError } from './run-tool.ts'

const never = new AbortController().signal
const run = (script: string, options: Partial<Parameters<typeof runTool>[1]> = {}) =>
  runTool([process.execPath, '-e', script], { timeoutMs: 10_000, signal: never, ...options })

describe('a tool', () => {
  it('returns what it prints, and knows nothing of our settings', async () => {
    process.env.EARSHOT_TEST_SECRET = 'secret'
    try {
      expect(JSON.parse(await run('console.log(JSON.stringify(Object.keys(process.env)))'))).toEqual(
        expect.not.arrayContaining(['EARSHOT_TEST_SECRET']),
      )
    } finally {
      delete process.env.EARSHOT_TEST_SECRET
    }
  })

  it('gives way to whatever answers people', async () => {
    expect(Number(await run('setTimeout(() => console.log(require("os").getPriority()), 50)'))).toBeGreaterThan(0)
  })

  it('says why it failed, in few words', async () => {
    const failure = run('console.error("x".repeat(100000)); process.exit(3)')
    await expect(failure).rejects.toThrow(ToolError)
    await expect(failure).rejects.toThrow(/ended with 3: x{100}/)
    expect(String(await failure.catch((error: Error) => error.message)).length).toBeLessThan(800)
    await expect(runTool(['/nowhere/tool'], { timeoutMs: 1000, signal: never })).rejects.toThrow('cannot be run')
  })

  it('is killed when its time is up, even if it would rather not', async () => {
    const began = performance.now()
    const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'
    await expect(run(stubborn, { timeoutMs: 300 })).rejects.toThrow('took longer than 300 ms')
    expect(performance.now() - began).toBeLessThan(3_000)
  })

  it('is killed when the server stops', async () => {
    const ending = new AbortController()
    const running = run('setInterval(() => {}, 1000)', { signal: ending.signal })
    setTimeout(() => ending.abort(), 100)
    await expect(running).rejects.toThrow('aborted')
    await expect(run('', { signal: ending.signal })).rejects.toThrow('aborted')
  })

  it('fills no memory by printing without end', async () => {
    const endless = 'for (let i = 0; i < 400; i++) process.stdout.write("x".repeat(100000))'
    expect((await run(endless)).length).toBeLessThan(3_000_000)
  })
})
