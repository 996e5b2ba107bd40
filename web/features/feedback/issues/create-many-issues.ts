import { createIssues, maxNewIssues } from '#contract/issue-links.ts'
import { call } from '#web/lib/api.ts'
import { formatItems, formatQuantity } from '#web/shared/format-count.ts'
import { toast, toastDurationsMs } from '#web/ui/toast.tsx'
import type { BulkProgress } from '../inbox/bulk-operations.ts'
import type { Tracker } from './issue-queries.ts'

interface Wanted {
  organizationId: string
  tracker: Tracker
  ids: readonly string[]
}

/**
 * Creates an issue for each of many items, and says how many got one; those that have one in the tracker keep it.
 *
 * @param report how far that is; undefined: it is done, or failed
 */
export async function createManyIssues(wanted: Wanted, report: (progress?: BulkProgress) => void): Promise<void> {
  const { organizationId, tracker, ids } = wanted
  const params = { organizationId, integrationId: tracker.id }
  const label = `Creating issues in ${tracker.name}`
  try {
    let created = 0
    for (let processed = 0; processed < ids.length; processed += maxNewIssues) {
      report({ label, processed, total: ids.length })
      const feedbackIds = ids.slice(processed, processed + maxNewIssues)
      created += (await call(createIssues, { params, body: { feedbackIds } })).created
    }
    tellCreated(tracker, created, ids.length - created)
  } catch (error) {
    toast({
      tone: 'danger',
      title: 'Couldn’t create all issues',
      // The client throws errors.
      description: (error as Error).message,
      durationMs: toastDurationsMs.long,
      // Items that have an issue by now keep it.
      action: { label: 'Try again', onPress: () => void createManyIssues(wanted, report) },
    })
  } finally {
    report()
  }
}

function tellCreated({ name }: Tracker, created: number, kept: number): void {
  const hasThere = `${formatItems(kept)} already ${kept === 1 ? 'has' : 'have'} an issue`
  toast({
    title: created === 0 ? `${hasThere} in ${name}` : `Creating ${formatQuantity(created, 'issue')} in ${name}`,
    durationMs: toastDurationsMs.long,
    ...(created > 0 && kept > 0 && { description: `${hasThere} there.` }),
  })
}
