import { ArrowDownToLine, ArrowUpFromLine, History, Import } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { FeedbackSelection } from '#contract/inbox.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '#web/ui/menu.tsx'

const ExportDialog = lazy(() => import('./export-dialog.tsx'))
const ImportDialog = lazy(() => import('./import-dialog.tsx'))

/**
 * Exports feedback to files and imports it from them.
 * @param props.selection which items an export contains
 * @param props.count how many that is, where it is known; at the limit of counting: that many or more
 */
export function TransferMenu({ selection, count }: { selection: FeedbackSelection; count: number | undefined }) {
  const { can } = useOrganization()
  const [open, setOpen] = useState<'export' | 'exports' | 'import' | 'imports'>()
  const canExport = can('export_feedback')
  const canImport = can('manage_feedback')
  if (!canExport && !canImport) return null
  const close = () => setOpen(undefined)
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <Button variant="ghost" size="icon-sm" aria-label="Export and import" className="text-muted">
            <ArrowDownToLine aria-hidden="true" />
          </Button>
        </MenuTrigger>
        <MenuContent align="end">
          {canExport && (
            <MenuItem onSelect={() => setOpen('export')}>
              <ArrowUpFromLine aria-hidden="true" /> Export…
            </MenuItem>
          )}
          {canImport && (
            <MenuItem onSelect={() => setOpen('import')}>
              <Import aria-hidden="true" /> Import…
            </MenuItem>
          )}
          <MenuSeparator />
          {canExport && (
            <MenuItem onSelect={() => setOpen('exports')}>
              <History aria-hidden="true" /> Exports
            </MenuItem>
          )}
          {canImport && (
            <MenuItem onSelect={() => setOpen('imports')}>
              <History aria-hidden="true" /> Imports
            </MenuItem>
          )}
        </MenuContent>
      </Menu>
      <Suspense>
        {open === 'export' && <ExportDialog selection={selection} count={count} onClose={close} />}
        {open === 'exports' && <ExportDialog selection={undefined} count={undefined} onClose={close} />}
        {open === 'import' && <ImportDialog begin="choose" onClose={close} />}
        {open === 'imports' && <ImportDialog begin="list" onClose={close} />}
      </Suspense>
    </>
  )
}
