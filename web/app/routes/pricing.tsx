import { PricingScreen } from '#web/features/billing/pricing-screen.tsx'

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
  return <PricingScreen />
}
