import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Logo } from '#web/ui/logo.tsx'

/** The page around every screen of signing in and up. */
export function AuthFrame({
  title,
  description,
  footer,
  children,
}: {
  title: string
  description?: ReactNode
  footer?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="flex min-h-dvh flex-col items-center px-4 pt-10 pb-16 sm:justify-center sm:pt-16">
      <main className="flex w-full max-w-sm flex-col gap-6">
        <div className="flex flex-col gap-6">
          <Link to="/" className="self-start rounded-sm" aria-label="Earshot, to the front page">
            <Logo />
          </Link>
          <div className="flex flex-col gap-1.5">
            <h1 className="font-semibold text-2xl">{title}</h1>
            {description !== undefined && <div className="text-base text-muted">{description}</div>}
          </div>
        </div>
        {children}
        {footer !== undefined && <p className="border-border border-t pt-5 text-base text-muted">{footer}</p>}
      </main>
    </div>
  )
}

/** A failure of the whole form, above its button. */
export function FormError({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="rounded-md bg-danger-soft px-3 py-2.5 text-base text-danger-text">
      {children}
    </div>
  )
}
