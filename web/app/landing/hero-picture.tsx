import { Check, Inbox, Star } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { LogoMark } from '../../ui/logo.tsx'

/** What happens, in one picture: a visitor's page with the panel open, and the inbox that it ends in. */
export function HeroPicture() {
  return (
    <div aria-hidden="true" className="relative select-none pb-10 sm:pr-6 sm:pb-16">
      <div className="overflow-hidden rounded-xl border border-border bg-surface shadow-lg">
        <div className="flex h-9 items-center gap-3 border-border border-b bg-sunken px-4">
          <span className="flex gap-1.5">
            <span className="size-2 rounded-full bg-border-strong/60" />
            <span className="size-2 rounded-full bg-border-strong/60" />
            <span className="size-2 rounded-full bg-border-strong/60" />
          </span>
          <span className="rounded-sm bg-surface px-3 py-0.5 text-muted text-xs">shop.example.com/checkout</span>
        </div>
        <div className="relative h-80 p-6">
          <div className="h-4 w-40 rounded-sm bg-hover" />
          <div className="mt-5 grid max-w-[55%] gap-3">
            <div className="h-9 rounded-md bg-hover" />
            <div className="h-9 rounded-md bg-hover" />
            <div className="h-9 w-2/3 rounded-md bg-hover" />
          </div>
          <VisitorPanel />
        </div>
      </div>
      <InboxCard />
    </div>
  )
}

function VisitorPanel() {
  return (
    <div className="absolute top-5 right-5 w-60 rounded-lg border border-border bg-raised p-4 shadow-md">
      <p className="font-semibold text-base">What would you like to tell us?</p>
      <div className="mt-3 flex gap-1.5">
        <Badge tone="accent">Problem</Badge>
        <Badge>Idea</Badge>
        <Badge>Question</Badge>
      </div>
      <div className="mt-3 rounded-md border border-border-strong px-2.5 py-2 text-sm leading-5">
        The discount code is accepted, but the total stays the same.
      </div>
      <div className="mt-3 flex items-center justify-between">
        <span className="flex text-accent-text">
          {['one', 'two', 'three', 'four', 'five'].map((star, index) => (
            <Star key={star} className={index < 2 ? 'size-4 fill-current' : 'size-4 opacity-40'} />
          ))}
        </span>
        <span className="rounded-md bg-accent px-3 py-1 font-medium text-on-accent text-sm">Send</span>
      </div>
    </div>
  )
}

function InboxCard() {
  return (
    <div className="absolute right-0 bottom-0 left-4 overflow-hidden rounded-xl border border-border bg-raised shadow-lg sm:left-16">
      <p className="flex items-center gap-2 border-border border-b px-4 py-2.5 font-medium text-sm">
        <Inbox className="size-4 text-muted" />
        Feedback
        <span className="ml-auto">
          <LogoMark className="size-4" />
        </span>
      </p>
      <InboxRow badge={<Badge tone="danger">Bug</Badge>} when="now" isNew>
        The discount code is accepted, but the total stays…
      </InboxRow>
      <InboxRow badge={<Badge tone="warning">Idea</Badge>} when="12 min">
        Let me save my address for the next order
      </InboxRow>
    </div>
  )
}

function InboxRow({
  badge,
  when,
  isNew = false,
  children,
}: {
  badge: ReactNode
  when: string
  isNew?: boolean
  children: ReactNode
}) {
  return (
    <div className="flex items-center gap-3 px-4 py-2.5 text-sm">
      {isNew ? (
        <span className="size-2 shrink-0 rounded-full bg-accent" />
      ) : (
        <Check className="-mx-0.5 size-3 shrink-0 text-muted" />
      )}
      {badge}
      <span className={isNew ? 'truncate font-medium' : 'truncate text-muted'}>{children}</span>
      <span className="ml-auto shrink-0 text-muted text-xs">{when}</span>
    </div>
  )
}
