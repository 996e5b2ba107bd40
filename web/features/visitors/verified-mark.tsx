import { BadgeCheck } from 'lucide-react'

/** The site vouched for who this is. */
export function VerifiedMark() {
  return (
    <span title="Verified: your site signed this id" className="inline-flex shrink-0 text-success-text">
      <BadgeCheck aria-hidden="true" className="size-4" />
      <span className="sr-only">verified</span>
    </span>
  )
}
