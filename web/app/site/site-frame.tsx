import { Link } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { Logo } from '../../ui/logo.tsx'

/** The line above every public page. */
export function SiteHeader() {
  return (
    <header className="border-border border-b bg-surface">
      <div className="mx-auto flex h-14 max-w-6xl items-center justify-between px-5 md:px-8">
        <Link to="/" className="rounded-sm" aria-label="Earshot, home">
          <Logo />
        </Link>
        <nav aria-label="Site" className="flex items-center gap-1">
          <Button asChild variant="ghost" size="sm" className="max-sm:hidden">
            <Link to="/pricing">Pricing</Link>
          </Button>
          <Button asChild variant="ghost" size="sm">
            <Link to="/login">Sign in</Link>
          </Button>
          <Button asChild size="sm">
            <Link to="/register">Get started</Link>
          </Button>
        </nav>
      </div>
    </header>
  )
}

/** What every public page ends with. */
export function SiteFooter() {
  return (
    <footer className="border-border border-t">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-4 px-5 py-8 md:px-8">
        <Logo />
        <nav aria-label="Footer">
          <ul className="flex gap-5 text-base text-muted">
            <li>
              <Link to="/pricing" className="rounded-sm hover:text-foreground">
                Pricing
              </Link>
            </li>
            <li>
              <a href="/api/docs" className="rounded-sm hover:text-foreground">
                API reference
              </a>
            </li>
            <li>
              <Link to="/login" className="rounded-sm hover:text-foreground">
                Sign in
              </Link>
            </li>
          </ul>
        </nav>
      </div>
    </footer>
  )
}
