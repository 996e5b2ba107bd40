import { useQuery } from '@tanstack/react-query'
import { BookX } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { Guide } from '#contract/docs.ts'
import { withoutBasePath } from '#web/lib/base-path.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { DetailFailure } from '#web/ui/detail-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { guideQuery } from './docs-queries.ts'
import { GuideArticle } from './guide-article.tsx'
import { GuideContents } from './guide-contents.tsx'
import { GuideNeighbours } from './guide-neighbours.tsx'
import { enlivenGuide } from './in-page/enliven-guide.ts'
import { showProjectKeys } from './in-page/project-keys.ts'

interface Place {
  path: string
  toAddress: (path: string) => string
}

/** One guide in the dashboard. */
export function GuideReader({ path, toAddress }: Place) {
  const { data: guide, error, refetch } = useQuery(guideQuery(path))
  if (guide) return <Reading guide={guide} toAddress={toAddress} />
  if (!error) return <Skeleton className="mt-8 h-96" />
  return (
    <>
      <title>Guide not found · Earshot</title>
      <h1 className="sr-only">Documentation</h1>
      <DetailFailure
        error={error}
        failure="Couldn’t load this guide"
        onRetry={() => void refetch()}
        icon={<BookX />}
        title="Guide not found"
        back={{ to: toAddress(''), label: 'All guides' }}
      >
        It may have another name now. Search the guides, or go back to the list.
      </DetailFailure>
    </>
  )
}

function Reading({ guide, toAddress }: Pick<Place, 'toAddress'> & { guide: Guide }) {
  const root = useRef<HTMLDivElement>(null)
  useGuide(root, guide)
  const html = guide.html.replaceAll('href="/docs/guides/', `href="${toAddress('')}/`)
  const renderLink = (path: string, props: { children: ReactNode }) => <Link to={toAddress(path)} {...props} />
  return (
    <div ref={root} data-base={`${toAddress('')}/`} className="docs-reader mt-6">
      <title>{`${guide.title} · Earshot`}</title>
      <GuideArticle guide={{ ...guide, html }}>
        <GuideNeighbours guide={guide} renderLink={renderLink} />
      </GuideArticle>
      <div className="docs-contents">
        <GuideContents headings={guide.headings} />
      </div>
    </div>
  )
}

/** What the guide does beside being read, as on its public page. */
function useGuide(root: { readonly current: HTMLDivElement | null }, guide: Guide): void {
  const navigate = useNavigate()
  const { hash } = useLocation()
  const { organization } = useOrganization()
  const { data: projects } = useQuery(projectsQuery(organization.id))
  // biome-ignore lint/correctness/useExhaustiveDependencies: another guide is another text
  useEffect(() => (root.current ? enlivenGuide(root.current) : undefined), [root, guide])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another guide is another text
  useEffect(() => {
    const open = (projects ?? []).filter(({ archivedAt }) => archivedAt === null)
    if (root.current) showProjectKeys(root.current, open)
  }, [root, guide, projects])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heading is there once the guide is
  useEffect(() => {
    if (hash !== '') document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView()
  }, [hash, guide])
  // Links of the text are plain ones: those to other guides need not load the app again.
  useEffect(() => {
    const element = root.current
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
      if (!link || !isPlain || event.defaultPrevented) return
      const { pathname, search, hash: anchor, origin } = new URL(link.href)
      const path = withoutBasePath(pathname)
      if (origin !== window.location.origin || !path.startsWith(element?.dataset.base ?? '')) return
      event.preventDefault()
      void navigate(path + search + anchor)
    }
    element?.addEventListener('click', follow)
    return () => element?.removeEventListener('click', follow)
  }, [root, navigate])
}
