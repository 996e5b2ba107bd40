import type { VisitorListItem } from '#contract/visitors.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { VerifiedMark } from './verified-mark.tsx'
import { nameVisitor } from './visitor-name.ts'

/** A visitor in a list: picture, name, address and id. */
export function VisitorLine({ visitor }: { visitor: VisitorListItem }) {
  const name = nameVisitor(visitor)
  const details = [visitor.email, visitor.visitorId].filter((each) => each !== null && each !== name)
  return (
    <>
      <Avatar name={name} />
      <span className="min-w-0 flex-1">
        <span className="flex min-w-0 items-center gap-1.5">
          <bdi className="truncate font-medium text-base">{name}</bdi>
          {visitor.isVerified && <VerifiedMark />}
        </span>
        {details.length > 0 && <bdi className="block truncate text-muted text-sm">{details.join(' · ')}</bdi>}
      </span>
    </>
  )
}
