import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { sitePages } from '#contract/site-pages.ts'
import { getPageContext } from '../../lib/page-context.ts'
import { describePage, type PageMatches } from '../site/describe-page.ts'
import { LegalPage } from '../site/legal-page.tsx'

export function meta(page: PageMatches) {
  return describePage(page, sitePages.terms)
}

export function loader({ context }: LoaderFunctionArgs) {
  return getPageContext(context).siteContent.readLegalText('terms')
}

export default function TermsRoute() {
  return <LegalPage text={useLoaderData<typeof loader>()} />
}
