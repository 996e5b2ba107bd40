import { Menu } from 'lucide-react'
import { withBasePath } from '../../lib/base-path.ts'
import { Button } from '../../ui/button.tsx'
import { Logo } from '../../ui/logo.tsx'

interface SiteLink {
  readonly to: string
  readonly label: string
}

const mainLinks: readonly SiteLink[] = [
  { to: '/how-it-works', label: 'How it works' },
  { to: '/pricing', label: 'Pricing' },
  { to: '/docs/guides/quick-start', label: 'Docs' },
  { to: '/blog', label: 'Blog' },
]

const footerLinks: readonly { readonly title: string; readonly links: readonly SiteLink[] }[] = [
  { title: 'Product', links: mainLinks.slice(0, 2) },
  {
    title: 'Learn',
    links: [...mainLinks.slice(2), { to: '/api/docs', label: 'API reference' }],
  },
  {
    title: 'Earshot',
    links: [
      { to: '/about', label: 'About' },
      { to: '/contact', label: 'Contact' },
      { to: '/login', label: 'Sign in' },
    ],
  },
  {
    title: 'Legal',
    links: [
      { to: '/privacy', label: 'Privacy' },
      { to: '/terms', label: 'Terms' },
    ],
  },
]

/** The line above every public page. `signedInScript` marks the page for who is signed in. */
export function SiteHeader() {
  return (
    <header className="border-border border-b bg-surface">
      <div className="mx-auto flex h-14 max-w-6xl items-center justify-between gap-2 px-5 md:px-8">
        <a href={withBasePath('/')} className="inline-flex rounded-sm" aria-label="Earshot, home">
          <Logo />
        </a>
        <nav aria-label="Site" className="flex items-center gap-1">
          <span className="contents max-md:hidden">
            <MainLinks />
          </span>
          <span className="contents in-[[data-signed-in]]:hidden">
            <Button asChild variant="ghost" size="sm" className="max-sm:hidden">
              <a href={withBasePath('/login')}>Sign in</a>
            </Button>
            <Button asChild size="sm">
              <a href={withBasePath('/register')}>Get started</a>
            </Button>
          </span>
          <span className="hidden in-[[data-signed-in]]:contents">
            <Button asChild size="sm">
              <a href={withBasePath('/dashboard')}>Dashboard</a>
            </Button>
          </span>
          <PhoneMenu />
        </nav>
      </div>
    </header>
  )
}

function MainLinks() {
  return mainLinks.map(({ to, label }) => (
    <Button key={to} asChild variant="ghost" size="sm">
      <a href={withBasePath(to)}>{label}</a>
    </Button>
  ))
}

function PhoneMenu() {
  return (
    <details className="relative md:hidden">
      <summary
        aria-label="Menu"
        className="flex size-10 cursor-pointer list-none items-center justify-center rounded-md hover:bg-hover [&::-webkit-details-marker]:hidden"
      >
        <Menu aria-hidden="true" className="size-5" />
      </summary>
      <ul className="absolute top-full right-0 z-10 mt-1 flex w-52 flex-col rounded-lg border border-border bg-raised p-1.5 shadow-lg">
        {[...mainLinks, { to: '/login', label: 'Sign in' }].map(({ to, label }) => (
          <li key={to}>
            <a href={withBasePath(to)} className="block rounded-md px-3 py-2.5 text-base hover:bg-hover">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** What every public page ends with. */
export function SiteFooter({ hasAnalyticsChoice }: { hasAnalyticsChoice: boolean }) {
  return (
    <footer className="border-border border-t">
      <nav
        aria-label="Footer"
        className="mx-auto grid max-w-6xl grid-cols-2 gap-8 px-5 py-12 sm:grid-cols-4 md:px-8 lg:grid-cols-[1.5fr_repeat(4,1fr)]"
      >
        <Logo className="self-start max-lg:col-span-full" />
        {footerLinks.map(({ title, links }) => (
          <div key={title} className="flex flex-col gap-3 text-base">
            <h2 className="font-medium">{title}</h2>
            <ul className="flex flex-col gap-2 text-muted">
              {links.map(({ to, label }) => (
                <li key={to}>
                  <a href={withBasePath(to)} className="rounded-sm hover:text-foreground">
                    {label}
                  </a>
                </li>
              ))}
              {hasAnalyticsChoice && title === 'Legal' && (
                <li>
                  <a id="analytics-choices" href="#analytics-choices" className="rounded-sm hover:text-foreground">
                    Analytics choices
                  </a>
                </li>
              )}
            </ul>
          </div>
        ))}
      </nav>
    </footer>
  )
}
