import type { QueryClient } from '@tanstack/react-query'
import { withBasePath } from '#web/lib/base-path.ts'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { copyText } from '#web/ui/copy-text.ts'
import { toast, toastDurationsMs } from '#web/ui/toast.tsx'
import { itemQuery } from '../feedback-queries.ts'
import { storeOf } from '../feedback-store.ts'
import { showDetail } from '../store/show-detail.ts'
import { writeBugReport } from './write-bug-report.ts'

/** Puts an item into the clipboard as a bug report, and says so. An item that was not opened yet is read first. */
export async function copyBugReport(queryClient: QueryClient, organizationId: string, id: string): Promise<void> {
  const failure = (description: string) =>
    toast({
      tone: 'danger',
      title: 'Couldn’t copy the bug report',
      description,
      durationMs: toastDurationsMs.long,
      // A browser that refused because reading took too long allows it to a new click.
      action: { label: 'Try again', onPress: () => void copyBugReport(queryClient, organizationId, id) },
    })
  const query = itemQuery(organizationId, id)
  try {
    const detail = queryClient.getQueryData(query.queryKey) ?? (await queryClient.fetchQuery(query))
    // As it is shown, with changes that are on their way.
    const item = showDetail(storeOf(queryClient, organizationId).getState(), detail)
    const projects = queryClient.getQueryData(projectsQuery(organizationId).queryKey)
    const report = writeBugReport(item, {
      projectName: projects?.items.find(({ id }) => id === item.projectId)?.name,
      link: window.location.origin + withBasePath(`/dashboard/feedback?item=${id}`),
    })
    if (!(await copyText(report))) return failure('The browser refused to write to the clipboard.')
    toast({
      title: `#${item.number}: copied as bug report`,
      description: 'Paste the Markdown into your issue tracker.',
      tone: 'success',
    })
  } catch (error) {
    failure(error instanceof Error ? error.message : 'Try again in a moment.')
  }
}
