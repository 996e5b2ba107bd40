import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, type FilesFixture, openFilesFixture } from '#server/testing/files-fixture.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { sendFile } from '#server/testing/uploads.ts'

/* With this machine's ffmpeg where it has one; what it makes is read by its own ffprobe. */
const run = promisify(execFile)
let fixture: FilesFixture
let hasFfmpeg: boolean
beforeAll(async () => {
  hasFfmpeg = await run('ffmpeg', ['-version']).then(
    () => true,
    () => false,
  )
  fixture = await openFilesFixture()
})
afterAll(() => fixture.stop())

/** Makes a recording of two seconds with ffmpeg. */
async function record(name: string, args: readonly string[]): Promise<Buffer> {
  const path = join(fixture.scratch, name)
  await run('ffmpeg', ['-v', 'error', '-y', ...args, path])
  return readFile(path)
}

const picture = ['-f', 'lavfi', '-i', 'testsrc=size=321x241:rate=15:duration=2']
const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=2']

describe('recordings', () => {
  const itWithFfmpeg = (name: string, test: () => Promise<void>, ms = 30_000) =>
    it(
      name,
      async ({ skip }) => {
        if (!hasFfmpeg) skip('this machine has no ffmpeg')
        await test()
      },
      ms,
    )

  itWithFfmpeg('of a voice play everywhere, can be sought in and show their loudness', async () => {
    const bytes = await record('voice.webm', [...sound, '-c:a', 'libopus', '-f', 'webm', '-live', '1'])
    const voice = await fixture.attachPlayable({ kind: 'voice', bytes, mime: 'audio/webm;codecs=opus' })
    expect(voice).toMatchObject({ state: 'ready', mime: 'audio/webm', note: null, posterUrl: null })
    expect(voice.durationMs).toBeGreaterThan(1_900)
    expect(voice.durationMs).toBeLessThan(2_200)
    expect(voice.waveform?.length).toBeGreaterThan(50)
    expect(voice.waveform?.length).toBeLessThanOrEqual(200)
    expect(Math.max(...(voice.waveform ?? []))).toBeGreaterThan(20)
    expect(Math.max(...(voice.waveform ?? []))).toBeLessThanOrEqual(100)
    expect(await probe(voice.playbackUrl)).toMatchObject({ type: 'audio/mp4', codecs: ['aac'], seconds: 2 })
    expect((await fetch(fixture.server.url + voice.url)).headers.get('content-type')).toBe('audio/webm')
  })

  itWithFfmpeg('of a screen play everywhere, with a poster', async () => {
    const bytes = await record('screen.webm', [
      ...picture,
      ...sound,
      ...['-c:v', 'libvpx', '-c:a', 'libopus', '-f', 'webm', '-live', '1'],
    ])
    const screen = await fixture.attachPlayable({ kind: 'screen', bytes, mime: 'video/webm' })
    expect(screen).toMatchObject({ state: 'ready', mime: 'video/webm', note: null, width: 321, height: 241 })
    expect(screen.durationMs).toBeGreaterThan(1_900)
    expect(screen.durationMs).toBeLessThan(2_200)
    expect(await probe(screen.playbackUrl)).toMatchObject({ type: 'video/mp4', codecs: ['h264', 'aac'], seconds: 2 })
    const { rows } = await fixture.server.client.query<{ derived_bytes: number; storage_key: string }>(
      'select derived_bytes, storage_key from uploads where id = $1',
      [screen.id],
    )
    const stored = join(fixture.dataDir, 'files', rows[0]?.storage_key ?? '')
    const sizes = await Promise.all(['.mp4', '.jpg'].map(async (end) => (await stat(stored + end)).size))
    expect(Number(rows[0]?.derived_bytes)).toBe(sizes.reduce((sum, size) => sum + size, 0))
    const poster = await fetch(fixture.server.url + screen.posterUrl)
    expect(poster.headers.get('content-type')).toBe('image/jpeg')
    expect(
      Buffer.from(await poster.arrayBuffer())
        .subarray(0, 2)
        .toString('hex'),
    ).toBe('ffd8')
  })

  itWithFfmpeg('that play everywhere already are only repacked', async () => {
    const bytes = await record('safari.mp4', [
      ...picture,
      ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-vf', 'scale=320:240', '-movflags', 'frag_keyframe+empty_moov'],
    ])
    const screen = await fixture.attachPlayable({ kind: 'screen', bytes, mime: 'video/mp4' })
    expect(screen).toMatchObject({ state: 'ready', mime: 'video/mp4', note: null })
    expect(await probe(screen.playbackUrl)).toMatchObject({ type: 'video/mp4', codecs: ['h264'], seconds: 2 })
  })

  itWithFfmpeg('that were cut off in the middle are worth what arrived', async () => {
    const whole = await record('cut.webm', [...picture, '-c:v', 'libvpx', '-f', 'webm', '-live', '1'])
    const screen = await fixture.attachPlayable({
      kind: 'screen',
      bytes: whole.subarray(0, Math.floor(whole.length * 0.7)),
    })
    expect(screen.state).toBe('ready')
    expect(screen.durationMs).toBeGreaterThan(500)
    expect(screen.playbackUrl).not.toBeNull()
  })

  itWithFfmpeg('that only begin like one are refused', async () => {
    const whole = await record('head.webm', [...picture, '-c:v', 'libvpx', '-f', 'webm'])
    const broken = Buffer.concat([whole.subarray(0, 60), Buffer.from('<script>alert(1)</script>'.repeat(300))])
    const refused = await fixture.attach({ kind: 'screen', bytes: broken })
    expect(refused).toMatchObject({ state: 'refused', note: 'Refused: nothing in it can be played.' })
    await eventually(() => fixture.listStored(refused.id)).toEqual([])
  })

  itWithFfmpeg('as files are played, too', async () => {
    const bytes = await record('song.mp3', [...sound, '-f', 'mp3'])
    const song = await fixture.attach({ kind: 'file', bytes, name: 'song.mp3' })
    expect(song).toMatchObject({ state: 'ready', mime: 'audio/mpeg', note: null, playbackUrl: null })
    expect(song.waveform?.length).toBeGreaterThan(50)
  })

  itWithFfmpeg(
    'are converted by the next worker when a server stops without waiting',
    async () => {
      const long = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=15:duration=10']
      const fast = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '16', '-b:v', '1M']
      const bytes = await record('long.webm', [...long, ...fast, '-f', 'webm'])
      const resting = await openFilesFixture({ SERVICES: 'web' })
      const running: TestServer[] = []
      const work = async () => {
        const env = { SERVICES: 'web,worker', DATA_DIR: resting.dataDir }
        running.push(await startTestServer(env, { url: resting.server.databaseUrl }))
      }
      try {
        const id = await sendFile(resting.server, resting.project.widgetKey, { kind: 'screen', bytes })
        const feedbackId = await resting.submit([{ id, kind: 'screen' }])
        const read = async () => (await resting.readItem(feedbackId)).attachments[0]
        await work()
        // Checked and measured, the original plays while the conversion continues.
        await expect.poll(async () => (await read())?.state, { timeout: 20_000, interval: 20 }).toBe('ready')
        expect(await read()).toMatchObject({ url: expect.any(String), width: 640, height: 360 })
        const began = performance.now()
        await running.pop()?.stop()
        expect(performance.now() - began).toBeLessThan(5_000)
        await work()
        const [screen] = await resting.settlePlayback(feedbackId)
        expect(screen).toMatchObject({ state: 'ready', note: null, width: 640, height: 360 })
      } finally {
        for (const server of running) await server.stop()
        await resting.stop()
      }
    },
    120_000,
  )

  it('are kept as they are where there is no ffmpeg, and it is said', async () => {
    // The first bytes of a WebM file, and a cluster of nothing.
    const webm = Buffer.from(
      '1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701ffffffffffffff',
      'hex',
    )
    const plain = await openFilesFixture({ FFMPEG_PATH: '/nowhere/ffmpeg' })
    try {
      expect(await plain.attach({ kind: 'voice', bytes: webm, mime: 'audio/webm' })).toMatchObject({
        state: 'ready',
        mime: 'audio/webm',
        note: 'As recorded; no conversion on this server.',
      })
      expect(plain.server.logLines.some((line) => line.includes('no ffmpeg at /nowhere/ffmpeg'))).toBe(true)
    } finally {
      await plain.stop()
    }
  })
})

/** What ffprobe finds at an address. */
async function probe(path: string | null): Promise<{ type: string | null; codecs: string[]; seconds: number }> {
  const reply = await fetch(fixture.server.url + path)
  const file = join(fixture.scratch, `${randomUUID()}.probe`)
  await writeFile(file, Buffer.from(await reply.arrayBuffer()))
  const show = ['-show_entries', 'stream=codec_name:format=duration', '-of', 'json']
  const { stdout } = await run('ffprobe', ['-v', 'error', ...show, file])
  const found = JSON.parse(stdout) as { streams: { codec_name: string }[]; format: { duration: string } }
  return {
    type: reply.headers.get('content-type'),
    codecs: found.streams.map((stream) => stream.codec_name),
    seconds: Math.round(Number(found.format.duration)),
  }
}
