import type { ReactNode } from 'react'

/** The heading of a public page, and what it is about. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex max-w-2xl flex-col gap-3">
      <h1 className="font-semibold text-4xl tracking-tight">{title}</h1>
      {children !== undefined && <p className="text-lg text-muted">{children}</p>}
    </div>
  )
}
