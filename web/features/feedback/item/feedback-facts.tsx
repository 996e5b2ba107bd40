import { AppWindow, Lock, Star } from 'lucide-react'
import { Fragment, type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import type { FeedbackDetail } from '#contract/feedback.ts'
import { sourceLabels } from '#web/shared/feedback-labels.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import { flattenValues, type ValueRow } from './flatten-values.ts'
import { findSafeHref, formatPage } from './page-link.ts'
import { findVisitorWindow, openVisitorWindow, type VisitorWindow } from './visitor-window.ts'

type FactsItem = Pick<
  FeedbackDetail,
  | 'rating'
  | 'nps'
  | 'tags'
  | 'pageUrl'
  | 'visitorName'
  | 'visitorEmail'
  | 'visitorId'
  | 'visitorVerified'
  | 'source'
  | 'createdAt'
  | 'locked'
> &
  Partial<Pick<FeedbackDetail, 'pageTitle' | 'fields' | 'consent' | 'context'>>

/** Where the item came from and from whom. */
export function FeedbackFacts({ item }: { item: FactsItem }) {
  return (
    <Section title="Details">
      <Table>
        {item.rating !== null && (
          <Row name="Rating">
            <Rating rating={item.rating} />
          </Row>
        )}
        {item.nps !== null && <Row name="Would recommend">{item.nps} of 10</Row>}
        {item.fields?.map(({ id, label, value }) => (
          <Row key={id} name={<bdi>{label}</bdi>}>
            <bdi className="whitespace-pre-wrap">{value === true ? 'yes' : value === false ? 'no' : value}</bdi>
          </Row>
        ))}
        {item.tags.length > 0 && (
          <Row name="Tags">
            <span className="flex flex-wrap gap-1.5">
              {item.tags.map((tag) => (
                <Badge key={tag} className="max-w-full">
                  <bdi className="truncate">{tag}</bdi>
                </Badge>
              ))}
            </span>
          </Row>
        )}
        <Row name="Page">
          {item.locked ? (
            <Locked />
          ) : (
            <>
              <PageLink url={item.pageUrl} title={item.pageTitle ?? null} />
              <OpenAtSize visitorWindow={item.context && findVisitorWindow(item.pageUrl, item.context)} />
            </>
          )}
        </Row>
        <Row name="Visitor">
          {item.locked ? (
            <Locked />
          ) : (
            <Visitor
              name={item.visitorName}
              email={item.visitorEmail}
              id={item.visitorId}
              isVerified={item.visitorVerified}
            />
          )}
        </Row>
        {item.consent != null && <Row name="Consent">{item.consent ? 'Given' : 'Not given'}</Row>}
        <Row name="Source">{sourceLabels[item.source]}</Row>
        <Row name="Received">
          <RelativeTime iso={item.createdAt} />
        </Row>
      </Table>
    </Section>
  )
}

/** In place of what a locked item keeps to itself. */
function Locked() {
  return (
    <span className="flex items-center gap-1.5 text-muted">
      <Lock aria-hidden="true" className="size-3.5 shrink-0" />
      Locked
    </span>
  )
}

/** Values that came with the item, as sent. */
export function ValuesTable({ title, values }: { title: string; values: Readonly<Record<string, unknown>> }) {
  return <RowsTable title={title} {...flattenValues(values)} />
}

export function RowsTable({
  title,
  rows,
  moreCount = 0,
}: {
  title: string
  rows: readonly ValueRow[]
  moreCount?: number
}) {
  if (rows.length === 0) return null
  return (
    <Section title={title}>
      <Table>
        {rows.map(({ name, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the rows never change
          <Row key={index} name={<bdi>{name}</bdi>}>
            <bdi>{value}</bdi>
          </Row>
        ))}
      </Table>
      {moreCount > 0 && <p className="mt-2 text-muted text-sm">and {moreCount} more</p>}
    </Section>
  )
}

/** A part of the open item; `aside` stands at the end of its title's line. */
export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-8">
      <div className="mb-2 flex min-h-5 items-center justify-between gap-3">
        <h3 id={id} className="font-medium text-muted text-sm">
          {title}
        </h3>
        {aside}
      </div>
      {children}
    </section>
  )
}

function Table({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-border rounded-md border border-border bg-surface text-base">{children}</dl>
}

function Row({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    // In the properties column, names are short.
    <div className="grid grid-cols-[4.5rem_1fr] gap-3 px-3 py-2 @md:grid-cols-[9rem_1fr]">
      <dt className="overflow-x-clip text-muted [overflow-wrap:anywhere]">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

function Rating({ rating }: { rating: number }) {
  return (
    <span className="inline-flex h-5 items-center gap-0.5" role="img" aria-label={`${rating} of 5`}>
      {[1, 2, 3, 4, 5].map((star) => (
        <Star
          key={star}
          aria-hidden="true"
          className={cn('size-4', star <= rating ? 'fill-current text-warning-text' : 'text-border-strong')}
        />
      ))}
    </span>
  )
}

function PageLink({ url, title }: { url: string; title: string | null }) {
  const href = findSafeHref(url)
  return (
    <>
      {title !== null && title !== '' && (
        <bdi className="block" dir="auto">
          {title}
        </bdi>
      )}
      {href === undefined ? (
        <bdi>{url}</bdi>
      ) : (
        <a
          href={href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="rounded-sm text-accent-text underline-offset-4 hover:underline"
        >
          <bdi dir="ltr">{breakable(formatPage(url))}</bdi>
          <span className="sr-only"> (opens in a new tab)</span>
        </a>
      )}
    </>
  )
}

/** Opens the page as large as the visitor saw it. Not on touch screens, whose browsers have no windows. */
function OpenAtSize({ visitorWindow }: { visitorWindow: VisitorWindow | undefined }) {
  if (!visitorWindow) return null
  const { width, height } = visitorWindow
  return (
    <Tooltip
      content="Opens the page in a new window of the visitor’s size, or as large as your screen allows"
      side="bottom"
    >
      <Button
        variant="link"
        size="sm"
        className="mt-1 flex gap-1.5 pointer-coarse:hidden"
        onClick={() => openVisitorWindow(visitorWindow)}
      >
        <AppWindow aria-hidden="true" />
        Open at {width} × {height}
        <span className="sr-only"> (opens in a new window)</span>
      </Button>
    </Tooltip>
  )
}

/** An address that rather breaks after a slash than within a word. */
function breakable(address: string): ReactNode {
  return address.split(/(?<=[/?&])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an address never move
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ))
}

function Visitor({
  name,
  email,
  id,
  isVerified,
}: {
  name: string | null
  email: string | null
  id: string | null
  isVerified: boolean
}) {
  if (name === null && email === null && id === null) return <span className="text-muted">Anonymous</span>
  const visitor = id ?? email
  return (
    <>
      {name !== null && <bdi className="block">{name}</bdi>}
      {email !== null && (
        <a
          href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}
          className="rounded-sm text-accent-text underline-offset-4 hover:underline"
        >
          <bdi>{email}</bdi>
        </a>
      )}
      {id !== null && (
        <span className="flex flex-wrap items-center gap-2 text-muted text-sm">
          <bdi>{id}</bdi>
          {isVerified ? (
            <Badge tone="success">Verified</Badge>
          ) : (
            <Badge title="Identity not verified">Not verified</Badge>
          )}
        </span>
      )}
      {visitor !== null && (
        <Link
          to={`/dashboard/visitors/${encodeURIComponent(visitor)}`}
          className="mt-1 block w-fit rounded-sm text-accent-text text-sm underline-offset-4 hover:underline"
        >
          Everything from this visitor
        </Link>
      )}
    </>
  )
}
