import { Skeleton } from '#web/ui/skeleton.tsx'

export function ListSkeleton({ label }: { label: string }) {
  return (
    <output className="mt-6 block divide-y divide-border rounded-lg border border-border bg-surface">
      <span className="sr-only">{label}</span>
      {['first', 'second', 'third', 'fourth', 'fifth'].map((name) => (
        <div key={name} className="flex items-center gap-3 px-4 py-4">
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="ml-auto h-4 w-20" />
        </div>
      ))}
    </output>
  )
}
