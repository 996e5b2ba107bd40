import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { cn } from '#web/ui/class-names.ts'
import { Logo } from '#web/ui/logo.tsx'

/** The page around a screen about plans. */
export function BillingFrame({
  title,
  lead,
  isWide = false,
  children,
}: {
  title: string
  lead: ReactNode
  isWide?: boolean
  children: ReactNode
}) {
  return (
    <div className="flex min-h-dvh flex-col items-center px-4 pt-10 pb-16 sm:px-8">
      <title>{`${title} · Earshot`}</title>
      <main className={cn('flex w-full flex-col gap-8', isWide ? 'max-w-5xl' : 'max-w-xl sm:pt-16')}>
        <Link to="/" className="self-start rounded-sm" aria-label="Earshot home">
          <Logo />
        </Link>
        <div className="flex max-w-2xl flex-col gap-2">
          <h1 className="font-semibold text-3xl">{title}</h1>
          <div className="text-lg text-muted">{lead}</div>
        </div>
        {children}
      </main>
    </div>
  )
}
