import type { ReactNode } from 'react'

/** A row of a list of facts (`dl`): its name, and what it is. */
export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-10 items-center justify-between gap-4 py-1">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </div>
  )
}
