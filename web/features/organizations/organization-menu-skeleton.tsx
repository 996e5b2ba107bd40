import { Skeleton } from '#web/ui/skeleton.tsx'

/** The list of organisations, while its code or its rows are loaded. */
export function OrganizationMenuSkeleton() {
  return (
    <div className="flex flex-col gap-2 p-3">
      <Skeleton className="h-8" />
      <Skeleton className="h-8" />
      <Skeleton className="h-8" />
    </div>
  )
}
