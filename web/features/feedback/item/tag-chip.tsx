/** A tag as it stands beside an item. */
export function TagChip({ tag }: { tag: string }) {
  return (
    <span className="inline-flex h-5 min-w-0 max-w-28 items-center rounded-full border border-border px-2 text-muted text-xs">
      <bdi className="truncate">{tag}</bdi>
    </span>
  )
}
