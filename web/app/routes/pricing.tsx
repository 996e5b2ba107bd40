import { PricingScreen } from '#web/features/billing/pricing-screen.tsx'
import { SiteFooter, SiteHeader } from '../site/site-frame.tsx'

export function meta() {
  return [
    { title: 'Pricing · Earshot' },
    {
      name: 'description',
      content: 'Three plans, one 14-day trial of every feature, and nothing lost over a limit. Self-hosting is free.',
    },
  ]
}

export default function PricingRoute() {
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader />
      <main className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-14 px-5 pt-12 pb-20 md:px-8 md:pt-16">
        <PricingScreen />
      </main>
      <SiteFooter />
    </div>
  )
}
