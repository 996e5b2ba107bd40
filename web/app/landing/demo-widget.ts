import { demoWidgetKey } from '#contract/demo-widget.ts'
import type { AttachmentKind } from '#contract/files.ts'
import type { Submission } from '#contract/widget.ts'
import { startSimulatedServer } from '#widget/preview/simulated-server.ts'
import { withBasePath } from '../../lib/base-path.ts'

type Earshot = (command: string, ...args: unknown[]) => unknown

// Set by the loader; undefined until then.
const readEarshot = () => (window as unknown as { earshot?: Earshot }).earshot

export interface DemoFile {
  readonly id: string
  readonly kind: AttachmentKind
  readonly name: string
  /** Undefined until it is whole. */
  readonly blob: Blob | undefined
}

/** An item sent with the demo widget. */
export interface DemoItem {
  readonly submission: Submission
  readonly number: number
  readonly files: readonly DemoFile[]
}

export interface DemoWidget {
  open(): void
  /** Removes the widget from the page. */
  stop(): void
}

function loadScript(src: string): Promise<HTMLScriptElement> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.onload = () => resolve(script)
    script.onerror = () => {
      script.remove()
      reject(new Error(`${src} could not be loaded`))
    }
    document.head.append(script)
  })
}

/**
 * Puts the real widget on the landing page. What it sends is answered within the page.
 *
 * @param onItem hears of each item, and again when another of its files is whole
 * @throws when the widget can't be loaded, or doesn't run on this host
 */
export async function startDemoWidget(onItem: (item: DemoItem) => void): Promise<DemoWidget> {
  let latest: Omit<DemoItem, 'files'> | undefined
  const announce = () => {
    if (!latest) return
    const { attachments = [] } = latest.submission
    const files = attachments.map(({ id, kind, name = '' }) => ({ id, kind, name, blob: server.findFile(id) }))
    onItem({ ...latest, files })
  }
  const server = startSimulatedServer({
    widgetKey: demoWidgetKey,
    onSubmission(submission, number) {
      latest = { submission, number }
      announce()
    },
    onFile: announce,
  })
  try {
    const script = await loadScript(withBasePath(`/e/${demoWidgetKey}.js`))
    const earshot = readEarshot()
    if (!earshot) throw new Error('the widget does not run on this host')
    const { theme } = document.documentElement.dataset
    if (theme) earshot('setTheme', theme)
    return {
      open: () => void readEarshot()?.('open'),
      stop() {
        script.remove()
        readEarshot()?.('destroy')
        server.stop()
      },
    }
  } catch (error) {
    server.stop()
    throw error
  }
}
