import { type ReactNode, useState } from 'react'
import { Skeleton } from './skeleton.tsx'

/**
 * Keeps content out of sight until its first reads are done, and shows it at once: parts whose size only their content
 * tells would push each other about. From then on it stays in sight.
 */
export function Reveal({
  isReady,
  className,
  children,
}: {
  isReady: boolean
  /** How its parts stand. */
  className: string
  children: ReactNode
}) {
  const [wasReady, setReady] = useState(isReady)
  if (isReady && !wasReady) setReady(true)
  return (
    <div className="relative">
      {!wasReady && <Skeleton className="absolute inset-x-0 top-0 h-64 rounded-lg" />}
      <div className={wasReady ? className : `${className} invisible`}>{children}</div>
    </div>
  )
}
