import { Download, Maximize2, Minus, PencilLine, Plus, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useRef, useState } from 'react'
import type { Attachment } from '#contract/files.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import type { useAnnotations } from '../annotate/use-annotations.ts'

interface ScreenshotProps {
  attachment: Attachment
  url: string
  onExpired: () => void
  /** Opens the editor that draws on it; undefined: the person may not. */
  annotating: ReturnType<typeof useAnnotations>['opening'] | undefined
}

/** A picture, small in the item; pressed, over everything, to be zoomed into and drawn on. */
export function Screenshot({ attachment, url, onExpired, annotating }: ScreenshotProps) {
  const { width, height } = attachment
  const name = attachment.name ?? 'Screenshot'
  const [open, setOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const annotate =
    annotating &&
    (() =>
      annotating.mutate(
        // The editor lies over everything; the viewer would hold the focus.
        { of: attachment.id, url, onReady: () => setOpen(false) },
        { onSettled: () => trigger.current?.focus() },
      ))
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger
        ref={trigger}
        className="group relative block max-w-full overflow-hidden rounded-md border border-border bg-sunken"
      >
        <img
          src={url}
          alt={name}
          {...(width && height && { width, height })}
          loading="lazy"
          onError={onExpired}
          className="max-h-80 w-auto object-contain object-top"
        />
        <span className="absolute top-2 right-2 flex size-8 items-center justify-center rounded-md bg-raised text-foreground opacity-0 shadow-sm group-hover:opacity-100 group-focus-visible:opacity-100">
          <Maximize2 aria-hidden="true" className="size-4" />
        </span>
        <span className="sr-only">Enlarge</span>
      </Dialog.Trigger>
      <Viewer name={name} url={url} onAnnotate={annotate} isLoading={annotating?.isPending === true} />
    </Dialog.Root>
  )
}

const zooms = [0.25, 0.5, 1, 2, 4]

interface ViewerProps {
  name: string
  url: string
  onAnnotate: (() => void) | undefined
  /** The editor is being loaded. */
  isLoading: boolean
}

function Viewer({ name, url, onAnnotate, isLoading }: ViewerProps) {
  // 0: as large as fits.
  const [zoom, setZoom] = useState(0)
  const [natural, setNatural] = useState({ width: 0, shownWidth: 0 })
  const step = (direction: 1 | -1) => {
    const present = zoom || natural.shownWidth / Math.max(1, natural.width)
    const next =
      direction > 0 ? zooms.find((each) => each > present * 1.01) : zooms.findLast((each) => each < present * 0.99)
    if (next !== undefined) setZoom(next)
  }
  return (
    <Dialog.Portal>
      <Dialog.Overlay className="animate-fade fixed inset-0 z-40 bg-overlay" />
      <Dialog.Content
        aria-describedby={undefined}
        className="fixed inset-2 z-50 flex flex-col overflow-hidden rounded-xl border border-border bg-raised shadow-lg outline-none sm:inset-6"
        onKeyDown={(event) => {
          if (event.key === '+' || event.key === '=') step(1)
          else if (event.key === '-') step(-1)
          else if (event.key === '0') setZoom(0)
          else return
          event.preventDefault()
        }}
      >
        <div className="flex h-12 shrink-0 items-center gap-1 border-border border-b px-3">
          <Dialog.Title className="min-w-0 flex-1 truncate font-medium text-base">
            <bdi>{name}</bdi>
          </Dialog.Title>
          {onAnnotate && (
            <Button variant="secondary" size="sm" className="mr-1" loading={isLoading} onClick={onAnnotate}>
              <PencilLine aria-hidden="true" />
              Annotate
            </Button>
          )}
          <ZoomButtons zoom={zoom} onZoom={setZoom} onStep={step} />
          <Button asChild variant="ghost" size="icon-sm">
            <a href={url} download={name} aria-label="Download">
              <Download aria-hidden="true" />
            </a>
          </Button>
          <Dialog.Close asChild>
            <Button variant="ghost" size="icon-sm" aria-label="Close">
              <X aria-hidden="true" />
            </Button>
          </Dialog.Close>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a large picture is scrolled by keyboard */}
        <div className="grid min-h-0 flex-1 overflow-auto bg-sunken p-3" tabIndex={0}>
          <img
            src={url}
            alt={name}
            onLoad={({ currentTarget }) =>
              setNatural({ width: currentTarget.naturalWidth, shownWidth: currentTarget.width })
            }
            style={zoom === 0 ? undefined : { width: natural.width * zoom, maxWidth: 'none' }}
            className={cn('m-auto', zoom === 0 && 'max-h-full max-w-full object-contain')}
          />
        </div>
      </Dialog.Content>
    </Dialog.Portal>
  )
}

interface ZoomButtonsProps {
  zoom: number
  onZoom: (zoom: number) => void
  onStep: (direction: 1 | -1) => void
}

function ZoomButtons({ zoom, onZoom, onStep }: ZoomButtonsProps) {
  return (
    <>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label="Zoom out"
        title="Zoom out (-)"
        aria-keyshortcuts="-"
        onClick={() => onStep(-1)}
      >
        <Minus aria-hidden="true" />
      </Button>
      <Button variant="ghost" size="sm" title="Fit the window (0)" aria-keyshortcuts="0" onClick={() => onZoom(0)}>
        {zoom === 0 ? 'Fit' : `${zoom * 100} %`}
      </Button>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label="Zoom in"
        title="Zoom in (+)"
        aria-keyshortcuts="+"
        onClick={() => onStep(1)}
      >
        <Plus aria-hidden="true" />
      </Button>
    </>
  )
}
