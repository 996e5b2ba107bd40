import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { PricingScreen } from '#web/features/billing/pricing-screen.tsx'
import { createQueryClient } from '../../lib/query-client.ts'
import { describePage, type PageMatches } from '../site/describe-page.ts'
import { SiteFooter, SiteHeader } from '../site/site-frame.tsx'

export function meta(page: PageMatches) {
  return describePage(page, {
    path: '/pricing',
    title: 'Pricing · Earshot',
    description:
      'Every plan has every feature. Try all of them for 14 days without a card, or host Earshot yourself for free.',
  })
}

/** For anyone: it knows no session, and loads no auth client. */
export default function PricingRoute() {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <div className="flex min-h-dvh flex-col">
        <SiteHeader />
        <main className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-16 px-5 pt-12 pb-20 md:px-8 md:pt-16">
          <PricingScreen />
        </main>
        <SiteFooter />
      </div>
    </QueryClientProvider>
  )
}
