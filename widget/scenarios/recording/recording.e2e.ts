import { spawnSync } from 'node:child_process'
import { expect, test } from '@playwright/test'
import { closeRecorderBrowsers, deviceFlags, openRecorderPage, type RecorderPage } from './recorder-page.ts'

let recorder: RecorderPage
const open = async (...args: Parameters<typeof openRecorderPage>) => {
  recorder = await openRecorderPage(...args)
  return recorder
}

test.afterEach(async () => {
  await recorder.close()
})
test.afterAll(closeRecorderBrowsers)

const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** What ffprobe finds in the bytes; undefined where it is not installed. */
function probe(bytes: Buffer): string[] | undefined {
  const command = ['-v', 'error', '-show_entries', 'stream=codec_name,channels', '-of', 'csv=p=0', 'pipe:0']
  const { error, stdout, stderr } = spawnSync('ffprobe', command, { input: bytes, encoding: 'utf8' })
  if (error) {
    console.log('ffprobe is not installed: the recording was only played, not taken apart')
    return undefined
  }
  expect(stderr).toBe('')
  return stdout.trim().split('\n').sort()
}

test.describe('voice note', () => {
  test('arrives in pieces while it is recorded, and plays', async () => {
    await open()
    expect(await recorder.begin('voice')).toEqual({ mime: 'audio/webm;codecs=opus', microphone: true })
    await pass(5000)
    await recorder.call('stop')
    const outcome = await recorder.getOutcome()
    expect(outcome.chunkTimesMs.length).toBe(3)
    expect(outcome.chunkTimesMs[0]).toBeLessThan(2700)
    expect(outcome.chunkTimesMs[1]).toBeLessThan(4700)
    expect(outcome.order).toEqual(['chunk', 'chunk', 'chunk', 'end'])
    expect(outcome.chunksAreWhole).toBe(true)
    expect(outcome.durationMs / 1000).toBeCloseTo(5, 0)
    expect(Math.abs(outcome.playableSeconds - 5)).toBeLessThan(0.6)
    // 24 kb/s are 3 kB/s; the container adds a little.
    expect(outcome.bytes / outcome.playableSeconds).toBeLessThan(6000)
    expect(outcome.liveTracks).toBe(0)
    const streams = probe(await recorder.getBytes())
    if (streams) expect(streams).toEqual(['opus,1'])
  })

  test('says four times a second how long and how loud', async () => {
    await open()
    await recorder.begin('voice')
    await pass(3000)
    await recorder.call('stop')
    const { ticks } = await recorder.getOutcome()
    expect(ticks.length).toBeGreaterThanOrEqual(10)
    expect(ticks.length).toBeLessThanOrEqual(16)
    // The device beeps once a second.
    expect(Math.max(...ticks.map(({ level }) => level))).toBeGreaterThan(0.1)
    expect(ticks.every(({ level }) => level >= 0 && level <= 1)).toBe(true)
    const seconds = ticks.map((tick) => tick.seconds)
    expect(seconds).toEqual([...seconds].sort((a, b) => a - b))
  })

  test('a pause does not count', async () => {
    await open()
    await recorder.begin('voice')
    await pass(1500)
    await recorder.call('pause')
    await pass(2500)
    await recorder.call('resume')
    await pass(1500)
    await recorder.call('stop')
    const outcome = await recorder.getOutcome()
    expect(Math.abs(outcome.durationMs - 3000)).toBeLessThan(500)
    expect(Math.abs(outcome.playableSeconds - 3)).toBeLessThan(0.8)
    expect(outcome.liveTracks).toBe(0)
  })

  test('ends by itself at the limit, which can be moved', async () => {
    await open()
    await recorder.begin('voice', { limitSeconds: 2 })
    await pass(1000)
    await recorder.extend(4)
    const outcome = await recorder.getOutcome()
    expect(outcome.durationMs).toBeGreaterThanOrEqual(4000)
    expect(outcome.durationMs).toBeLessThan(4600)
    expect(outcome.liveTracks).toBe(0)
  })

  test('private elements are black on the page only while its screen is recorded', async () => {
    await open()
    const readBlack = () =>
      recorder.page.evaluate(() =>
        ['password', 'card', 'marked', 'named', 'moving'].filter((id) => {
          const element = document.getElementById(id)
          return element && getComputedStyle(element).backgroundColor === 'rgb(0, 0, 0)'
        }),
      )
    expect(await readBlack()).toEqual([])
    await recorder.begin('screen', { cover: ['p:is(', '.account'] })
    expect(await readBlack()).toEqual(['password', 'card', 'marked', 'named'])
    expect(
      await recorder.page.evaluate(() => getComputedStyle(document.querySelector('b') as Element).visibility),
    ).toBe('hidden')
    await pass(1000)
    await recorder.call('stop')
    await recorder.waitForEnd()
    expect(await readBlack()).toEqual([])
    await recorder.begin('voice')
    expect(await readBlack()).toEqual([])
    await recorder.call('discard')
  })

  test('a discarded recording calls no listener any more', async () => {
    await open()
    await recorder.begin('voice')
    await pass(1000)
    await recorder.call('discard')
    expect(await recorder.countLiveTracks()).toBe(0)
    await pass(1500)
    expect(await recorder.page.evaluate('run.order')).toEqual([])
    // Buttons may be pressed late.
    for (const method of ['pause', 'resume', 'stop', 'discard'] as const) await recorder.call(method)
  })

  test('the microphone is pulled out: ends with what there is', async () => {
    await open()
    await recorder.begin('voice')
    await pass(2500)
    // What the browser does then; a script's own stop() is silent.
    await recorder.page.evaluate(`tracks[0].stop(); tracks[0].dispatchEvent(new Event('ended'))`)
    const outcome = await recorder.getOutcome()
    expect(outcome.bytes).toBeGreaterThan(0)
    expect(outcome.order.at(-1)).toBe('end')
    expect(outcome.liveTracks).toBe(0)
  })

  test('the visitor leaves: the microphone is off before the page is gone', async () => {
    await open()
    await recorder.begin('voice')
    await pass(2500)
    await recorder.page.evaluate(`addEventListener('pagehide', () => {
      sessionStorage.liveTracks = tracks.filter((track) => track.readyState === 'live').length
    })`)
    await recorder.page.goto(`${recorder.url}/elsewhere`)
    expect(await recorder.page.evaluate('sessionStorage.liveTracks')).toBe('0')
  })

  test('stopped twice, ended once', async () => {
    await open()
    await recorder.begin('voice')
    await pass(500)
    await recorder.page.evaluate('run.recording.stop(); run.recording.stop()')
    await recorder.getOutcome()
    await pass(300)
    expect(await recorder.page.evaluate(`run.order.filter((one) => one === 'end').length`)).toBe(1)
  })
})

test.describe('screen recording', () => {
  test('picture alone', async () => {
    await open()
    // Tab audio comes with the tab where the visitor grants it; here it is always granted.
    const { mime, microphone } = await recorder.begin('screen')
    expect(mime).toMatch(/^video\/webm;codecs=vp9/)
    expect(microphone).toBe(false)
    await pass(5000)
    await recorder.call('stop')
    const outcome = await recorder.getOutcome()
    expect(outcome.videoWidth).toBeGreaterThan(300)
    expect(outcome.chunkTimesMs.length).toBeGreaterThanOrEqual(2)
    expect(outcome.chunksAreWhole).toBe(true)
    expect(outcome.order.at(-1)).toBe('end')
    expect(Math.abs(outcome.playableSeconds - 5)).toBeLessThan(1)
    expect(outcome.liveTracks).toBe(0)
    const streams = probe(await recorder.getBytes())
    if (streams) expect(streams.some((stream) => stream.startsWith('vp9'))).toBe(true)
    const longestTaskMs = await recorder.page.evaluate<number>('longestTaskMs')
    console.log(`screen recording: ${Math.round(outcome.bytes / 1000)} kB in 5 s, longest task ${longestTaskMs} ms`)
  })

  test('with the microphone: its sound is in it', async () => {
    await open()
    expect((await recorder.begin('screen', { microphone: true })).microphone).toBe(true)
    await pass(4000)
    await recorder.call('stop')
    const outcome = await recorder.getOutcome()
    expect(Math.max(...outcome.ticks.map(({ level }) => level))).toBeGreaterThan(0.1)
    expect(outcome.liveTracks).toBe(0)
    const loudest = await recorder.page.evaluate<number>(`(async () => {
      const sound = await new OfflineAudioContext(1, 1, 48000).decodeAudioData(await run.ended.blob.arrayBuffer())
      return sound.getChannelData(0).reduce((most, sample) => Math.max(most, sample), 0)
    })()`)
    expect(loudest).toBeGreaterThan(0.05)
    const streams = probe(await recorder.getBytes())
    if (streams) expect(streams.filter((stream) => stream.startsWith('opus'))).toHaveLength(1)
  })

  test('microphone declined beside a granted screen: recorded without it, and said so', async () => {
    await open(deviceFlags, { permissions: [] })
    await recorder.page.evaluate(`navigator.mediaDevices.getUserMedia = async () => {
      throw new DOMException('Permission denied', 'NotAllowedError')
    }`)
    expect((await recorder.begin('screen', { microphone: true })).microphone).toBe(false)
    await pass(1500)
    await recorder.call('stop')
    const outcome = await recorder.getOutcome()
    expect(outcome.videoWidth).toBeGreaterThan(300)
    expect(outcome.liveTracks).toBe(0)
  })

  test('"stop sharing" in the browser: ends with what there is', async () => {
    await open()
    await recorder.begin('screen', { microphone: true })
    await pass(2500)
    await recorder.page.evaluate(`
      const shared = tracks.find((track) => track.kind === 'video')
      shared.stop()
      shared.dispatchEvent(new Event('ended'))
    `)
    const outcome = await recorder.getOutcome()
    expect(outcome.bytes).toBeGreaterThan(0)
    expect(outcome.liveTracks).toBe(0)
  })

  test('"stop sharing" while the microphone is still asked for: rejects, nothing stays open', async () => {
    await open()
    await recorder.page.evaluate(`{
      const ask = navigator.mediaDevices.getUserMedia
      navigator.mediaDevices.getUserMedia = async (constraints) => {
        for (const track of tracks) track.stop()
        return ask(constraints)
      }
    }`)
    await expect(recorder.begin('screen', { microphone: true })).rejects.toThrow('AbortError')
    expect(await recorder.countLiveTracks()).toBe(0)
  })

  test('a recorder that fails to start: its error, nothing stays open', async () => {
    await open()
    await recorder.page.evaluate(`MediaRecorder.prototype.start = () => {
      throw new DOMException('No encoder', 'NotSupportedError')
    }`)
    await expect(recorder.begin('screen', { microphone: true })).rejects.toThrow('No encoder')
    expect(await recorder.countLiveTracks()).toBe(0)
  })
})

test.describe('unavailable sources', () => {
  test('the visitor declines the screen', async () => {
    await open(['--use-fake-device-for-media-stream', '--auto-reject-this-tab-capture'])
    await expect(recorder.begin('screen')).rejects.toThrow('NotAllowedError')
    expect(await recorder.countLiveTracks()).toBe(0)
  })

  test('the visitor declines the microphone', async () => {
    await open(['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream=deny'], {})
    await expect(recorder.begin('voice')).rejects.toThrow('NotAllowedError')
  })

  test("there is no microphone: the name of the browser's error is kept", async () => {
    await open()
    await recorder.page.evaluate(`navigator.mediaDevices.getUserMedia = async () => {
      throw new DOMException('Requested device not found', 'NotFoundError')
    }`)
    const name = await recorder.page.evaluate(`begin('voice').catch((error) => error.name)`)
    expect(name).toBe('NotFoundError')
  })

  test('sources forbidden by the page are not offered', async () => {
    await open()
    const ask = () => recorder.page.evaluate(`['voice', 'screen'].map((kind) => media.canRecord(kind))`)
    expect(await ask()).toEqual([true, true])
    await recorder.page.goto(`${recorder.url}/forbidden`)
    expect(await ask()).toEqual([false, false])
    await recorder.page.goto(`${recorder.url}/frames`)
    const frame = recorder.page.frames().at(-1)
    await frame?.waitForFunction('window.media')
    expect(await frame?.evaluate(`['voice', 'screen'].map((kind) => media.canRecord(kind))`)).toEqual([false, false])
  })

  test('sources unsupported by the browser are not offered', async () => {
    await open()
    const canRecord = `['voice', 'screen'].map((kind) => media.canRecord(kind))`
    await recorder.page.evaluate(
      `delete MediaDevices.prototype.getDisplayMedia; delete navigator.mediaDevices.getDisplayMedia`,
    )
    expect(await recorder.page.evaluate(canRecord)).toEqual([true, false])
    await recorder.page.evaluate(`Object.defineProperty(navigator, 'mediaDevices', { value: undefined })`)
    expect(await recorder.page.evaluate(canRecord)).toEqual([false, false])
  })
})
