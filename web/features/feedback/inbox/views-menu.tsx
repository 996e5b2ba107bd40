import { useQuery } from '@tanstack/react-query'
import { Bookmark, BookmarkPlus, Check, ChevronDown, Lock, Pencil, RefreshCw, Trash2, Users } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { SavedView } from '#contract/views.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Menu, MenuContent, MenuItem, MenuLabel, MenuSeparator, MenuTrigger } from '#web/ui/menu.tsx'
import { type Filters, hasFilters, noFilters, readFilters, writeInboxSearch } from '../filters/feedback-filters.ts'
import { useViewChanges } from './use-view-changes.ts'
import { viewsQuery } from './views-query.ts'

const ViewDialog = lazy(async () => ({ default: (await import('./view-dialog.tsx')).ViewDialog }))

interface ViewsMenuProps {
  filters: Filters
  onChange: (filters: Filters) => void
}

/** The name of what is shown, and the views that can be shown instead: saved, renamed, shared and deleted here. */
export function ViewsMenu({ filters, onChange }: ViewsMenuProps) {
  const { organization } = useOrganization()
  const { data: views = [] } = useQuery(viewsQuery(organization.id))
  const [dialog, setDialog] = useState<'new' | 'rename'>()
  const { update, remove } = useViewChanges(organization.id)
  const current = views.find(({ id }) => id === filters.view)
  const search = writeViewSearch(filters)
  const isChanged = current !== undefined && !isSameView(current.search, search)
  const isEverything = !hasFilters(filters) && filters.location === 'inbox' && filters.stage === 'all'
  const canSave =
    hasFilters(filters) ||
    filters.location !== 'inbox' ||
    filters.stage !== 'open' ||
    filters.sort !== 'newest' ||
    filters.group !== 'none'

  return (
    <>
      <Menu>
        <MenuTrigger className="-ml-1 flex h-8 pointer-coarse:h-10 min-w-0 items-center gap-1 rounded-md px-2 hover:bg-hover data-[state=open]:bg-hover">
          <span className="sr-only">View:</span>
          <bdi className="truncate font-semibold text-xl">{current?.name ?? 'Feedback'}</bdi>
          {isChanged && <span className="shrink-0 text-muted text-sm">· changed</span>}
          <ChevronDown aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" />
        </MenuTrigger>
        <MenuContent
          align="start"
          aria-label="Views"
          className="max-h-[min(28rem,var(--radix-dropdown-menu-content-available-height))] w-64 overflow-y-auto"
        >
          <MenuItem onSelect={() => onChange({ ...noFilters, stage: 'all' })}>
            <Bookmark aria-hidden="true" />
            <span className="flex-1">All feedback</span>
            {!current && isEverything && <Check aria-label="shown" />}
          </MenuItem>
          <ViewList
            title="Your views"
            views={views.filter(({ isShared }) => !isShared)}
            current={current}
            onChange={onChange}
          />
          <ViewList
            title="Shared with the team"
            views={views.filter(({ isShared }) => isShared)}
            current={current}
            onChange={onChange}
          />
          <MenuSeparator />
          {current && (
            <CurrentViewItems
              onUpdate={isChanged ? () => update(current, { search }) : undefined}
              onRename={() => setDialog('rename')}
              onDelete={() => {
                remove(current)
                onChange({ ...filters, view: '' })
              }}
            />
          )}
          <MenuItem disabled={!canSave} onSelect={() => setDialog('new')}>
            <BookmarkPlus aria-hidden="true" />
            {canSave ? 'Save as a new view…' : 'Add filters to save a view'}
          </MenuItem>
        </MenuContent>
      </Menu>
      <Suspense>
        {dialog !== undefined && (
          <ViewDialog
            view={dialog === 'rename' ? current : undefined}
            search={search}
            onClose={() => setDialog(undefined)}
            onSaved={(view) => onChange({ ...filters, view: view.id })}
          />
        )}
      </Suspense>
    </>
  )
}

/** `onUpdate`: undefined when the inbox shows the view unchanged. */
function CurrentViewItems({
  onUpdate,
  onRename,
  onDelete,
}: {
  onUpdate: (() => void) | undefined
  onRename: () => void
  onDelete: () => void
}) {
  return (
    <>
      {onUpdate && (
        <MenuItem onSelect={onUpdate}>
          <RefreshCw aria-hidden="true" />
          Update this view
        </MenuItem>
      )}
      <MenuItem onSelect={onRename}>
        <Pencil aria-hidden="true" />
        Rename or share…
      </MenuItem>
      <MenuItem onSelect={onDelete}>
        <Trash2 aria-hidden="true" />
        Delete this view
      </MenuItem>
    </>
  )
}

function ViewList({
  title,
  views,
  current,
  onChange,
}: {
  title: string
  views: readonly SavedView[]
  current: SavedView | undefined
  onChange: (filters: Filters) => void
}) {
  if (views.length === 0) return null
  return (
    <>
      <MenuSeparator />
      <MenuLabel>{title}</MenuLabel>
      {views.map((view) => (
        <MenuItem key={view.id} onSelect={() => onChange(readView(view))}>
          {view.isShared ? <Users aria-hidden="true" /> : <Lock aria-hidden="true" />}
          <bdi className="min-w-0 flex-1 truncate">{view.name}</bdi>
          {view.id === current?.id && <Check aria-label="shown" />}
        </MenuItem>
      ))}
    </>
  )
}

/** The state of the inbox that a view names. Without a stage: open and done items, as in an address with a view. */
function readView({ id, search }: Pick<SavedView, 'id' | 'search'>): Filters {
  return readFilters(new URLSearchParams([...new URLSearchParams(search), ['view', id]]))
}

/** Stands for a view that has no id yet. */
const anyId = '00000000-0000-4000-8000-000000000000'

function writeViewSearch(filters: Filters): string {
  const search = new URLSearchParams(writeInboxSearch({ ...filters, view: anyId }, undefined))
  search.delete('view')
  return search.toString()
}

/** Whether two addresses mean the same state, however they are written. */
function isSameView(a: string, b: string): boolean {
  const normalise = (search: string) => writeViewSearch(readView({ id: anyId, search }))
  return normalise(a) === normalise(b)
}
