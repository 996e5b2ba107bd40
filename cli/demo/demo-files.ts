import type { AttachmentKind } from '#contract/files.ts'
import type { Derivative } from '#server/platform/storage/storage.ts'

/** A file in cli/demo/files/ that visitors of the demo's websites attached. */
export interface DemoFile {
  readonly file: string
  readonly kind: AttachmentKind
  /** Its derivatives, stored beside it. */
  readonly derivatives: readonly Derivative[]
  /** Facts that need ffmpeg, stored here because the demo must work without it. */
  readonly facts: { width?: number; height?: number; durationMs?: number; waveform?: readonly number[] }
  /** The window in which it was made; undefined: any. */
  readonly window?: DemoWindow
  /** What happened on the page: console, requests and pages, by milliseconds from its beginning. */
  readonly story?: DemoStory
}

export interface DemoWindow {
  readonly width: number
  readonly height: number
  readonly pixelRatio: number
  readonly touch: boolean
  readonly colorScheme: 'light' | 'dark'
}

/** In the widget's own format, except for the times. */
export interface DemoStory {
  readonly console?: readonly (readonly [atMs: number, level: 'error' | 'warn' | 'info', text: string])[]
  readonly network?: readonly (readonly [
    atMs: number,
    method: string,
    url: string,
    status: number,
    durationMs: number,
  ])[]
  readonly routes?: readonly (readonly [atMs: number, url: string])[]
}

const desktop: DemoWindow = { width: 1280, height: 800, pixelRatio: 1, touch: false, colorScheme: 'light' }
const phone: DemoWindow = { width: 390, height: 664, pixelRatio: 2, touch: true, colorScheme: 'light' }
const shop = 'https://shop.fernwood.example'
const planner = 'https://planner.fernwood.example'
const help = 'https://help.fernwood.example'

export const demoFiles = {
  basketVoucher: screenshot('basket-voucher.webp', desktop, {
    routes: [[2_000, '/basket']],
    network: [
      [2_180, 'GET', `${shop}/api/basket`, 200, 64],
      [11_400, 'POST', `${shop}/api/basket/voucher`, 200, 212],
    ],
    console: [[11_650, 'warn', 'basket: total was not recomputed, discount is older than the basket']],
  }),
  paymentFails: screenshot('payment-p502.webp', desktop, {
    routes: [
      [1_000, '/checkout/delivery'],
      [9_200, '/checkout/payment'],
    ],
    network: [
      [16_000, 'POST', `${shop}/api/payments`, 502, 10_004],
      [27_300, 'POST', `${shop}/api/payments`, 502, 10_011],
    ],
    console: [[26_100, 'error', 'PaymentError: P-502 the provider did not answer in time']],
  }),
  missingDrawing: screenshot('help-missing-drawing.webp', desktop, {
    network: [[3_100, 'GET', `${help}/drawings/rowan-desk-step-4.svg`, 404, 31]],
  }),
  floatingSofa: screenshot(
    'planner-floating-sofa.webp',
    { ...desktop, colorScheme: 'dark' },
    {
      network: [[4_000, 'GET', `${planner}/models/tarn-sofa.glb`, 200, 640]],
      console: [[4_700, 'warn', 'scene: tarn-sofa has no contact plane, its origin is used']],
    },
  ),
  phoneOverlap: screenshot('planner-phone-overlap.webp', phone),
  basketEmpties: recording('basket-empties.webm', 8_400, {
    routes: [[0, '/basket']],
    network: [
      [250, 'GET', `${shop}/api/basket`, 200, 71],
      [2_000, 'PATCH', `${shop}/api/basket/lines/1`, 409, 1_480],
      [3_550, 'GET', `${shop}/api/basket`, 200, 58],
    ],
    console: [
      [3_490, 'error', 'TypeError: lines is not iterable at updateQuantity (basket.js:148:22)'],
      [3_620, 'warn', 'basket: no lines, showing it as empty'],
    ],
  }),
  plannerUndo: recording('planner-undo.webm', 9_600, {
    network: [
      [5_700, 'PUT', `${planner}/api/rooms/current`, 200, 96],
      [7_450, 'PUT', `${planner}/api/rooms/current`, 200, 88],
    ],
    console: [
      [2_810, 'info', 'history: move coffee-table'],
      [5_410, 'info', 'history: move tarn-sofa (joined with the step before)'],
      [7_180, 'warn', 'history: undo of a joined step, 2 changes'],
    ],
  }),
  deliveryWindow: voice(
    'voice-delivery-window.webm',
    12708,
    [
      1, 1, 1, 1, 16, 73, 46, 64, 84, 84, 61, 55, 13, 1, 1, 1, 1, 1, 24, 82, 77, 100, 99, 47, 68, 57, 26, 80, 76, 52,
      26, 27, 16, 66, 81, 36, 26, 48, 62, 25, 25, 72, 53, 79, 82, 46, 26, 11, 30, 86, 82, 36, 31, 24, 43, 80, 39, 37,
      57, 69, 58, 42, 15, 81, 81, 30, 75, 75, 40, 9, 1, 63, 65, 40, 41, 15, 48, 83, 80, 36, 15, 15, 11, 1, 1, 1, 1, 1,
      26, 49, 72, 65, 79, 70, 49, 46, 15, 82, 82, 38, 23, 44, 79, 17, 44, 62, 71, 53, 40, 47, 83, 80, 58, 44, 40, 1, 61,
      65, 42, 41, 19, 29, 57, 75, 78, 49, 39, 25, 11, 1, 1, 1, 1, 1, 1, 52, 83, 83, 19, 24, 49, 87, 84, 77, 80, 25, 60,
      77, 76, 52, 16, 15, 2, 1, 1, 1, 1, 41, 73, 50, 46, 65, 55, 88, 65, 43, 55, 65, 43, 68, 63, 64, 16, 16, 73, 90, 65,
      77, 70, 39, 72, 64, 93, 98, 69, 39, 80, 77, 49, 32, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    ],
  ),
  leftPanel: voice(
    'voice-drawer.webm',
    8195,
    [
      1, 1, 1, 1, 1, 1, 15, 15, 18, 48, 88, 87, 55, 19, 17, 11, 10, 20, 51, 87, 86, 64, 53, 69, 68, 20, 26, 43, 73, 70,
      20, 32, 76, 81, 68, 47, 14, 13, 27, 11, 1, 1, 1, 1, 1, 1, 26, 54, 56, 80, 72, 7, 21, 22, 17, 4, 26, 71, 76, 68,
      49, 60, 57, 75, 73, 24, 24, 27, 74, 69, 39, 59, 84, 83, 55, 11, 22, 16, 18, 37, 49, 70, 75, 75, 42, 42, 39, 1, 1,
      1, 1, 1, 1, 1, 1, 1, 61, 74, 62, 46, 19, 54, 66, 53, 25, 79, 74, 2, 16, 37, 72, 81, 71, 57, 74, 76, 54, 60, 76,
      55, 43, 34, 15, 48, 59, 81, 75, 47, 41, 40, 9, 18, 57, 72, 21, 34, 36, 60, 72, 71, 60, 53, 6, 1, 1, 1, 6, 64, 68,
      54, 40, 41, 14, 52, 65, 90, 67, 55, 43, 8, 31, 51, 69, 79, 70, 10, 25, 24, 26, 61, 70, 57, 16, 42, 66, 80, 65, 63,
      57, 48, 35, 35, 32, 28, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    ],
  ),
  postcodeRefused: {
    file: 'delivery-postcode.json.gz',
    kind: 'replay',
    derivatives: [],
    facts: {},
    window: desktop,
    story: {
      routes: [[0, '/checkout/delivery']],
      network: [
        [7_800, 'POST', `${shop}/api/addresses/check`, 422, 640],
        [12_000, 'POST', `${shop}/api/addresses/check`, 422, 655],
        [13_300, 'POST', `${shop}/api/addresses/check`, 422, 648],
        [14_400, 'POST', `${shop}/api/addresses/check`, 422, 660],
      ],
      console: [[8_450, 'warn', 'delivery: no zone for this postcode, it is taken for a mistake']],
    },
  },
  consoleText: {
    file: 'product-page-console.txt',
    kind: 'file',
    derivatives: [],
    facts: {},
    story: { console: [[5_000, 'error', 'TypeError: variant is undefined at showPrice (product.js:212:19)']] },
  },
} as const satisfies Record<string, DemoFile>

export type DemoFileName = keyof typeof demoFiles

function screenshot(file: string, window: DemoWindow, story: DemoStory = {}): DemoFile {
  return { file, kind: 'screenshot', derivatives: [], facts: {}, window, story }
}

function recording(file: string, durationMs: number, story: DemoStory): DemoFile {
  return {
    file,
    kind: 'screen',
    derivatives: ['mp4', 'jpg'],
    facts: { width: 960, height: 600, durationMs },
    window: { ...desktop, width: 960, height: 600 },
    story,
  }
}

function voice(file: string, durationMs: number, waveform: readonly number[]): DemoFile {
  return { file, kind: 'voice', derivatives: ['mp4'], facts: { durationMs, waveform } }
}
