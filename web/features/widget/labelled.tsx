import type { ReactNode } from 'react'

/** A group of controls under a heading of its own. */
export function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-1.5">
      <p aria-hidden="true" className="font-medium text-base">
        {label}
      </p>
      {children}
    </div>
  )
}
