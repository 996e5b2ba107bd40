import { Button } from './button.tsx'

interface MoreButtonProps {
  /** The list, as TanStack Query reads it. */
  list: { readonly hasNextPage: boolean; readonly isFetchingNextPage: boolean; readonly fetchNextPage: () => unknown }
  size?: 'sm'
  className?: string
}

/** Reads the next page of a list; nothing on the last one. */
export function MoreButton({ list, size, className }: MoreButtonProps) {
  if (!list.hasNextPage) return null
  return (
    <Button
      variant="secondary"
      {...(size && { size })}
      {...(className !== undefined && { className })}
      loading={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      Show more
    </Button>
  )
}
