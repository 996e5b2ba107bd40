import { Download, Maximize2, Minus, Plus, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import type { Attachment } from '#contract/files.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'

interface ScreenshotProps {
  attachment: Attachment
  url: string
  onExpired: () => void
}

/** A picture, small in the item; pressed, over everything, to be zoomed into. */
export function Screenshot({ attachment, url, onExpired }: ScreenshotProps) {
  const { width, height } = attachment
  const name = attachment.name ?? 'Screenshot'
  return (
    <Dialog.Root>
      <Dialog.Trigger className="group relative block max-w-full overflow-hidden rounded-md border border-border bg-sunken">
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
      <Viewer name={name} url={url} />
    </Dialog.Root>
  )
}

const zooms = [0.25, 0.5, 1, 2, 4]

function Viewer({ name, url }: { name: string; url: string }) {
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
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label="Zoom out"
            title="Zoom out (-)"
            aria-keyshortcuts="-"
            onClick={() => step(-1)}
          >
            <Minus aria-hidden="true" />
          </Button>
          <Button variant="ghost" size="sm" title="Fit the window (0)" aria-keyshortcuts="0" onClick={() => setZoom(0)}>
            {zoom === 0 ? 'Fit' : `${zoom * 100} %`}
          </Button>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label="Zoom in"
            title="Zoom in (+)"
            aria-keyshortcuts="+"
            onClick={() => step(1)}
          >
            <Plus aria-hidden="true" />
          </Button>
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
