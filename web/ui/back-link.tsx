import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

/** The way up from a screen, above its title. What a finger can hit is larger than what is seen. */
export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="-my-2.5 inline-flex max-w-full items-center gap-1.5 self-start rounded-sm py-2.5 text-base text-muted hover:text-foreground"
    >
      <ArrowLeft aria-hidden="true" className="size-4 shrink-0" />
      <span className="truncate" dir="auto">
        {children}
      </span>
    </Link>
  )
}
