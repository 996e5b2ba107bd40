import { useQuery } from '@tanstack/react-query'
import type { StorageUsage } from '#contract/quotas.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { formatQuantity } from '#web/shared/format-count.ts'
import { storageQuery } from '#web/shared/storage-query.ts'
import { describeStanding, describeUse } from '#web/shared/storage-words.ts'
import { UsageRow } from '#web/shared/usage-row.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { SettingsSection } from '#web/ui/settings-section.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Storage of the organisation: files by project, and exports, each with its limit. */
export function StorageScreen() {
  const { organization } = useOrganization()
  const { data, error, refetch } = useQuery(storageQuery(organization.id))
  if (!data) {
    if (error) return <LoadFailure title="Couldn’t load storage" error={error} onRetry={() => void refetch()} />
    return <Skeleton className="h-64" />
  }
  const { files, exports } = data
  return (
    <div className="flex flex-col divide-y divide-border">
      <SettingsSection
        title="Files"
        description="Screenshots, recordings and attachments from visitors, including the trash."
      >
        <div className="flex flex-col gap-5 p-5">
          <UsageRow name="All projects" {...toRow(files.usedBytes, files.limitBytes)} />
          {files.projects.length > 0 && <Projects files={files} />}
        </div>
      </SettingsSection>
      <SettingsSection title="Exports" description="Exports are deleted after seven days.">
        <div className="flex flex-col gap-5 p-5">
          <UsageRow name="Size of all exports" {...toRow(exports.usedBytes, exports.limitBytes)} />
          {exports.maxCount !== null && (
            <UsageRow
              name="Number of exports"
              text={`${exports.count} of ${exports.maxCount}`}
              note={describeStanding(exports.count, exports.maxCount)}
              used={exports.count}
              limit={exports.maxCount}
            />
          )}
        </div>
      </SettingsSection>
    </div>
  )
}

function toRow(used: number, limit: number | null) {
  return { text: describeUse(used, limit), note: describeStanding(used, limit), used, limit }
}

function Projects({ files }: { files: StorageUsage['files'] }) {
  return (
    <ul aria-label="Files by project" className="flex flex-col gap-5 border-border border-t pt-5">
      {files.projects.map(({ projectId, name, usedBytes, count }) => {
        const row = toRow(usedBytes, files.projectLimitBytes)
        return (
          <li key={projectId}>
            <UsageRow
              {...row}
              name={name}
              to={`/dashboard/projects/${projectId}`}
              text={`${row.text}, ${formatQuantity(count, 'file')}`}
            />
          </li>
        )
      })}
    </ul>
  )
}
