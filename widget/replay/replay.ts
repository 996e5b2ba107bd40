import { record } from '@rrweb/record'
import type { ReplayModule } from '../loader/modules.ts'
import type { Stage } from '../loader/stage.ts'
import { isInHidden, joinHidden, typedText } from './hidden.ts'
import { redactJson } from './redact.ts'

/** Interval between checkpoints; only the latest two are kept. */
const checkpointMs = 30_000
/** Older segments are not handed out. */
const oldestMs = 75_000
const maxNodes = 20_000
const maxCharacters = 2_000_000

interface RecordedNode {
  readonly id: number
  readonly tagName?: string
  readonly attributes?: Record<string, unknown>
  readonly childNodes?: readonly RecordedNode[]
}

/** The parts of rrweb's events that are read here. */
interface RecordedEvent {
  readonly type: number
  readonly data: {
    readonly source?: number
    readonly id?: number
    readonly node?: RecordedNode
    adds?: { readonly node: { readonly id: number } }[] | undefined
    texts?: { readonly id: number }[] | undefined
    attributes?: { readonly id: number }[] | undefined
  }
}

/** A picture of the whole page and what happened until the next, each event as JSON. */
interface Segment {
  readonly startedAt: number
  readonly events: string[]
  characters: number
}

let segments: Segment[] = []
let stopRecording: (() => void) | undefined
let started = false

// `setTimeout` ignores the options: 0 ms.
const whenIdle = (run: () => void) => (window.requestIdleCallback ?? setTimeout)(run, { timeout: 2000 } as never)

const isTooLarge = () => document.getElementsByTagName('*').length > maxNodes

/** Ends recording for the life of the page, and deletes the recording. */
export function stop(): void {
  started = true
  segments = []
  stopRecording?.()
  stopRecording = undefined
}

/** Starts recording, in idle time and only once the project's masks are known. */
export function start(stage: Stage): void {
  if (started) return
  started = true
  stage.signal.addEventListener('abort', stop)
  whenIdle(() => {
    stage.loadTexts().then(
      ({ settings }) => begin(stage.host, joinHidden(settings.mask)),
      () => {
        started = false
      },
    )
  })
}

function begin(host: HTMLElement, hidden: string): void {
  if (isTooLarge()) return
  // The widget's button and panel are not part of the page.
  host.dataset.earshotMask = ''
  let waiting = false

  const checkpoint = () => {
    waiting = false
    if (isTooLarge()) stop()
    else if (stopRecording) record.takeFullSnapshot(true)
  }

  const emit = (event: RecordedEvent) => {
    try {
      // A checkpoint begins with the size of the window.
      if (event.type === 4) segments = [...segments.slice(-1), { startedAt: Date.now(), events: [], characters: 0 }]
      const segment = segments.at(-1)
      if (!segment || !clean(event, hidden)) return
      if (event.data.node) measureImages(event.data.node)
      const json = redactJson(JSON.stringify(event))
      segment.events.push(json)
      segment.characters += json.length
      if (segments.reduce((sum, { characters }) => sum + characters, 0) > maxCharacters) {
        segments.shift()
        if (!segments.length) stop()
      } else if (!waiting && Date.now() - segment.startedAt > checkpointMs) {
        waiting = true
        whenIdle(checkpoint)
      }
    } catch {
      stop()
    }
  }

  try {
    const end = record({
      emit: emit,
      blockSelector: hidden,
      maskTextSelector: typedText,
      // rrweb declares only types of inputs, and reads tag names too.
      maskInputOptions: { input: true, textarea: true, select: true } as object,
      slimDOMOptions: 'all',
      sampling: { mousemove: 100, scroll: 150, input: 'last' },
      // The recorder wraps functions of the page: the browser's own exceptions in them belong to the page.
      errorHandler: (error: unknown) => !(error instanceof DOMException),
    })
    // The first checkpoint may already exceed the limit.
    if (segments.length) stopRecording = end
    else end?.()
  } catch {
    stop()
  }
}

/** Records the size of pictures: viewers of the recording may not load them, and their places keep the size. */
function measureImages({ id, tagName, attributes, childNodes }: RecordedNode): void {
  if (attributes && tagName === 'img' && !attributes.rr_width) {
    // `img` nodes are elements.
    const { width, height } = (record.mirror.getNode(id) as Element).getBoundingClientRect()
    if (width) Object.assign(attributes, { rr_width: `${width}px`, rr_height: `${height}px` })
  }
  childNodes?.forEach(measureImages)
}

/** Drops changes inside hidden elements. Returns whether anything is left. */
function clean(event: RecordedEvent, hidden: string): boolean {
  if (event.type !== 3) return true
  const { data } = event
  const isShown = ({ id }: { readonly id?: number }) =>
    id === undefined || !isInHidden(record.mirror.getNode(id), hidden)
  // Other kinds have lists of these names, too: rules of style sheets.
  if (data.source === 0) {
    data.adds = data.adds?.filter(({ node }) => isShown(node))
    data.texts = data.texts?.filter(isShown)
    data.attributes = data.attributes?.filter(isShown)
  }
  return isShown(data)
}

/** The recording of the last minute as JSON, compressed where the browser can; undefined: nothing. */
export async function take(): Promise<Blob | undefined> {
  const now = Date.now()
  // After a long time without changes the present page is the whole recording.
  if (stopRecording && now - (segments.at(-1)?.startedAt ?? now) > oldestMs) record.takeFullSnapshot(true)
  const events = segments.filter(({ startedAt }) => now - startedAt < oldestMs).flatMap((segment) => segment.events)
  if (!events.length) return undefined
  const json = new Blob([`[${events}]`], { type: 'application/json' })
  if (!window.CompressionStream) return json
  const zipped = json.stream().pipeThrough(new CompressionStream('gzip'))
  return new Response(zipped, { headers: { 'content-type': 'application/gzip' } }).blob()
}

/**
 * Shows it to the visitor inside the element.
 * @param labels names of the controls
 */
export async function preview(
  container: HTMLElement,
  events: Blob,
  labels: Parameters<ReplayModule['preview']>[2],
): Promise<void> {
  const view: typeof import('./view/replay-view.ts') = await import(new URL('./replay-view.js', import.meta.url).href)
  await view.showReplay(container, events, labels)
}

;({ start, stop, take, preview }) satisfies ReplayModule
