import { type ReactNode, useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { withBasePath, withoutBasePath } from '#web/lib/base-path.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { DocsSearch } from './docs-search.tsx'
import { GuideOverview } from './guide-overview.tsx'
import { GuideReader } from './guide-reader.tsx'
import { setUpSearch } from './in-page/search-box.ts'

/** The documentation inside the dashboard: all guides, or the one that the address names. */
export function DocumentationScreen({ path }: { path: string }) {
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-8 sm:py-8">
      <SearchBar>
        {path === '' ? (
          <h1 className="font-semibold text-2xl">Documentation</h1>
        ) : (
          <div>
            <BackLink to={home}>Documentation</BackLink>
          </div>
        )}
      </SearchBar>
      {path === '' ? (
        <GuideOverview toAddress={toAddress} />
      ) : (
        <GuideReader key={path} path={path} toAddress={toAddress} />
      )}
    </div>
  )
}

const home = '/dashboard/documentation'
const toAddress = (path: string) => (path === '' ? home : `${home}/${path}`)

function SearchBar({ children }: { children: ReactNode }) {
  const navigate = useNavigate()
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    const box = bar.current?.querySelector<HTMLElement>('[data-docs-search]')
    if (!box) return undefined
    return setUpSearch(box, {
      toAddress: (path) => withBasePath(toAddress(path)),
      open: (address) => {
        const { pathname, hash } = new URL(address)
        void navigate(withoutBasePath(pathname) + hash)
      },
    })
  }, [navigate])
  return (
    <header ref={bar} className="docs-bar flex flex-wrap items-center justify-between gap-4">
      {children}
      <div className="w-full sm:w-80">
        <DocsSearch />
      </div>
    </header>
  )
}
