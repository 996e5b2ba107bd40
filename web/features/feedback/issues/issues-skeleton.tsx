import { Skeleton } from '#web/ui/skeleton.tsx'

/** As high as what takes its place: a line for each issue, or the button that creates one. */
export function IssuesSkeleton({ count }: { count: number }) {
  return <Skeleton style={{ height: count === 0 ? '2.625rem' : `calc(${count} * 3.75rem + ${count + 1}px)` }} />
}
