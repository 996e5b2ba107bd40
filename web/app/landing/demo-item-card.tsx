import { Paperclip, Star } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { describeBrowser } from '#contract/describe-browser.ts'
import type { FeedbackType } from '#contract/feedback.ts'
import { mediaLabels, statusLabels, typeLabels } from '#contract/feedback-labels.ts'
import { formatBytes } from '../../shared/format-bytes.ts'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import type { DemoFile, DemoItem } from './demo-widget.ts'

const typeTones: Readonly<Record<FeedbackType, BadgeTone>> = {
  bug: 'danger',
  idea: 'warning',
  question: 'info',
  praise: 'success',
  other: 'neutral',
}

/** An item as a team sees it: what was sent, and where and with what browser. */
export default function DemoItemCard({ item: { submission, number, files } }: { item: DemoItem }) {
  const { id, type, message, rating, page } = submission
  return (
    <article
      key={id}
      aria-label={`Item #${number}, as a team sees it`}
      className="overflow-hidden rounded-xl border border-border bg-surface shadow-lg"
    >
      <header className="flex flex-wrap items-center gap-2.5 border-border border-b px-5 py-3 text-sm">
        <span aria-hidden="true" className="size-2 rounded-full bg-accent" />
        <span className="font-medium tabular-nums">#{number}</span>
        <Badge tone={typeTones[type]}>{typeLabels[type]}</Badge>
        <Badge>{statusLabels.new}</Badge>
        <span className="ml-auto text-muted">Now</span>
      </header>
      <div className="flex flex-col gap-4 p-5">
        {message && (
          <p dir="auto" className="whitespace-pre-wrap text-lg [overflow-wrap:anywhere]">
            {message}
          </p>
        )}
        {rating !== undefined && <Rating rating={rating} />}
        {files.length > 0 && (
          <ul className="flex flex-col gap-3">
            {files.map((file) => (
              <li key={file.id}>
                <Attachment file={file} />
              </li>
            ))}
          </ul>
        )}
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 border-border border-t px-5 py-4 text-base">
        <Fact name="Page">
          {page.title} <span className="text-muted">{page.url}</span>
        </Fact>
        {listFacts(submission.context).map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </dl>
    </article>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}

/** As the widget writes it (`widget/transport/context.ts`), where the browser gives it. */
interface Context {
  userAgent?: string
  viewport?: { width: number; height: number }
  language?: string
  timeZone?: string
  console?: readonly unknown[]
}

function listFacts(context: Context = {}): [name: string, value: string][] {
  const { userAgent = '', viewport, language = '', timeZone = '', console = [] } = context
  const facts: [string, string][] = [
    ['Browser', describeBrowser(userAgent) ?? ''],
    ['Window', viewport ? `${viewport.width} × ${viewport.height}` : ''],
    ['Language', language],
    ['Time zone', timeZone],
    [
      'Console',
      console.length === 0 ? 'No entries' : `${console.length} ${console.length === 1 ? 'entry' : 'entries'}`,
    ],
  ]
  return facts.filter(([, value]) => value !== '')
}

const stars = [1, 2, 3, 4, 5]

function Rating({ rating }: { rating: number }) {
  return (
    <p className="flex items-center gap-2 text-base">
      <span aria-hidden="true" className="flex gap-0.5 text-accent-text">
        {stars.map((star) => (
          <Star key={star} className={star <= rating ? 'size-4 fill-current' : 'size-4 opacity-40'} />
        ))}
      </span>
      {rating} of 5
    </p>
  )
}

function Attachment({ file: { kind, name, blob } }: { file: DemoFile }) {
  const label = mediaLabels[kind]
  const address = useAddress(blob)
  if (!blob || !address) return <p className="text-base text-muted">{label}: loading…</p>
  if (blob.type.startsWith('image/')) {
    return <img src={address} alt={label} className="max-h-72 rounded-md border border-border object-contain" />
  }
  // biome-ignore lint/a11y/useMediaCaption: the visitor's own recording, just made
  if (kind === 'voice') return <audio controls src={address} aria-label={label} className="w-full" />
  if (kind === 'screen') {
    // biome-ignore lint/a11y/useMediaCaption: the visitor's own recording, just made
    return <video controls src={address} aria-label={label} className="max-h-72 w-full rounded-md bg-sunken" />
  }
  return (
    <p className="flex items-center gap-2 text-base">
      <Paperclip aria-hidden="true" className="size-4 shrink-0 text-muted" />
      <span className="min-w-0 truncate">{name}</span>
      <span className="text-muted text-sm">{formatBytes(blob.size)}</span>
    </p>
  )
}

/** An address of the file for as long as it is shown. */
function useAddress(blob: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return address
}
