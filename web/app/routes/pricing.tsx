import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { sitePages } from '#contract/site-pages.ts'
import { PricingScreen } from '#web/features/billing/pricing-screen.tsx'
import { getPageContext } from '../../lib/page-context.ts'
import { describePage, type PageMatches } from '../site/describe-page.ts'

export function meta(page: PageMatches) {
  return describePage(page, sitePages.pricing)
}

export async function loader({ context }: LoaderFunctionArgs) {
  return { plans: await getPageContext(context).siteContent.listPlans() }
}

export default function PricingRoute() {
  const { plans } = useLoaderData<typeof loader>()
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-16 px-5 pt-12 pb-20 md:px-8 md:pt-16">
      <PricingScreen plans={plans} />
    </div>
  )
}
