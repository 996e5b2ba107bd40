import type { ReactElement } from 'react'
import { createLateCode, useLateCode } from '#web/ui/late-code.ts'
import { Popover } from '#web/ui/popover.tsx'
import type { Filters } from './feedback-filters.ts'
import type { FacetName } from './filter-facets.tsx'

const panel = createLateCode(() => import('./filter-panel.tsx'))

export const loadFilterPanel = panel.load

interface FilterMenuProps {
  filters: Filters
  onChange: (filters: Filters) => void
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Where it begins; undefined: with all there is to filter by. */
  facet?: FacetName
  /** What opens the menu. */
  children: ReactElement
}

/** Chooses what the list shows: first by what, then which values; words typed at once find values of all kinds. */
export function FilterMenu({ open, onOpenChange, children, ...props }: FilterMenuProps) {
  const loaded = useLateCode(panel, open)
  return (
    <Popover label="Filter" open={open && loaded !== undefined} onOpenChange={onOpenChange} trigger={children}>
      {loaded && <loaded.FilterPanel {...props} onDone={() => onOpenChange(false)} />}
    </Popover>
  )
}
