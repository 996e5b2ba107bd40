import { ArrowDownUp, ArrowUpFromLine, History, Import } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { FeedbackSelection } from '#contract/inbox.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '#web/ui/menu.tsx'
import type { MatchCount } from '../filters/match-count.ts'
import { HeaderButton } from '../inbox/header-button.tsx'

const ExportDialog = lazy(() => import('./export-dialog.tsx'))
const ImportDialog = lazy(() => import('./import-dialog.tsx'))

/**
 * Exports feedback to files and imports it from them.
 * @param props.selection which items an export contains
 * @param props.count how many that is; undefined: not known yet
 */
export function TransferMenu({ selection, count }: { selection: FeedbackSelection; count: MatchCount | undefined }) {
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
          <HeaderButton icon={<ArrowDownUp aria-hidden="true" />} label="Export and import" />
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
