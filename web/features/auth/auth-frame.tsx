import { type ReactNode, useEffect, useRef } from 'react'
import { Link, type LinkProps } from 'react-router'
import { cn } from '#web/ui/class-names.ts'
import { Logo } from '#web/ui/logo.tsx'
import { FullSpinner } from '#web/ui/spinner.tsx'

/** The page around every screen of signing in and up. */
export function AuthFrame({
  title,
  documentTitle = title,
  description,
  footer,
  children,
}: {
  title: string
  /** The document title, if it differs from the heading. */
  documentTitle?: string
  description?: ReactNode
  footer?: ReactNode
  children?: ReactNode
}) {
  return (
    <div className="flex min-h-dvh flex-col items-center px-4 pt-10 pb-16 sm:justify-center sm:pt-16">
      <title>{`${documentTitle} · Earshot`}</title>
      <main className="flex w-full max-w-sm flex-col gap-6">
        <div className="flex flex-col gap-6">
          <Link to="/" className="self-start rounded-sm" aria-label="Earshot home">
            <Logo />
          </Link>
          <div className="flex flex-col gap-1.5 [overflow-wrap:anywhere]">
            <Title>{title}</Title>
            {description !== undefined && <div className="text-base text-muted">{description}</div>}
          </div>
        </div>
        {children}
        {footer !== undefined && <div className="border-border border-t pt-5 text-base text-muted">{footer}</div>}
      </main>
    </div>
  )
}

/** Shown until it is clear which screen follows. */
export function AuthSpinner({ documentTitle, label }: { documentTitle: string; label?: string }) {
  return (
    <>
      <title>{`${documentTitle} · Earshot`}</title>
      <FullSpinner {...(label !== undefined && { label })} />
    </>
  )
}

let lastHeading: HTMLElement | null = null

/** Takes the focus when it replaces another screen, so that screen readers read it; not on page load. */
function Title({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (lastHeading && lastHeading !== heading.current) heading.current?.focus({ preventScroll: true })
    lastHeading = heading.current
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1} className="font-semibold text-2xl outline-none">
      {children}
    </h1>
  )
}

/** An error of the whole form, above its button. It takes the focus, because the pressed button was disabled. */
export function FormError({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className="rounded-md bg-danger-soft px-3 py-2.5 text-base text-danger-text outline-none"
    >
      {children}
    </div>
  )
}

/** A link within a sentence. */
export function TextLink({ className, ...props }: LinkProps) {
  return (
    <Link
      {...props}
      className={cn('rounded-sm font-medium text-accent-text underline-offset-4 hover:underline', className)}
    />
  )
}

/** An address in a sentence: it breaks where it must. */
export function Address({ children }: { children: string }) {
  return <strong className="font-medium text-foreground [overflow-wrap:anywhere]">{children}</strong>
}
