import type { PickMenuProps } from '#web/ui/pick-list.tsx'
import { PickMenu } from '#web/ui/pick-menu.tsx'

const maxTagLength = 50

interface TagMenuProps extends Pick<PickMenuProps, 'open' | 'onOpenChange' | 'returnFocus' | 'align' | 'children'> {
  /** Tags of the item, or those that all of many items have. */
  tags: readonly string[]
  /** Tags that only some of many items have. */
  partialTags?: readonly string[]
  /** Tags that the team uses, most used first. */
  knownTags: readonly string[]
  /** One tag was put on or taken off. */
  onToggle: (tag: string, isOn: boolean) => void
}

/** Puts tags on and takes them off; what is typed can become a new tag. Letter case does not tell tags apart. */
export function TagMenu({ tags, partialTags = [], knownTags, onToggle, ...menu }: TagMenuProps) {
  const byKey = new Map<string, string>()
  for (const tag of [...tags, ...partialTags, ...knownTags]) {
    const key = tag.toLocaleLowerCase()
    if (!byKey.has(key)) byKey.set(key, tag)
  }
  const has = (list: readonly string[], key: string) => list.some((tag) => tag.toLocaleLowerCase() === key)
  return (
    <PickMenu
      label="Tags"
      placeholder="Add or find a tag…"
      emptyText="No tags yet. Type to make one."
      isMultiple
      options={[...byKey].map(([key, tag]) => ({
        value: tag,
        label: tag,
        state: has(tags, key) ? 'on' : has(partialTags, key) ? 'some' : 'off',
      }))}
      onPick={(tag) => onToggle(tag, !has(tags, tag.toLocaleLowerCase()))}
      create={{
        label: (typed) => `Create “${typed}”`,
        onCreate: (typed) => onToggle(typed, true),
        maxLength: maxTagLength,
      }}
      {...menu}
    />
  )
}
