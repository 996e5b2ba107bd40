import type { QueryClient } from '@tanstack/react-query'
import { toast } from '#web/ui/toast.tsx'

/** Copies an item as a bug report. The code that writes reports is loaded when one is asked for. */
export function startBugReport(queryClient: QueryClient, organizationId: string, id: string): void {
  import('./copy-bug-report.ts').then(
    ({ copyBugReport }) => copyBugReport(queryClient, organizationId, id),
    () => toast({ tone: 'danger', title: 'Couldn’t copy the bug report', description: 'Reload the page.' }),
  )
}
