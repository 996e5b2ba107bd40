import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { sitePages } from '#contract/site-pages.ts'
import { getPageContext } from '../../lib/page-context.ts'
import { describePage, type PageMatches } from '../site/describe-page.ts'
import { LegalPage } from '../site/legal-page.tsx'

export function meta(page: PageMatches) {
  return describePage(page, sitePages.privacy)
}

export function loader({ context }: LoaderFunctionArgs) {
  return getPageContext(context).siteContent.readLegalText('privacy')
}

export default function PrivacyRoute() {
  return <LegalPage text={useLoaderData<typeof loader>()} />
}
