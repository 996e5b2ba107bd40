import { useQuery } from '@tanstack/react-query'
import type { InstanceOrganizationStorage } from '#contract/superadmin-organizations.ts'
import { formatBytes } from '#web/shared/format-bytes.ts'
import { formatQuantity } from '#web/shared/format-count.ts'
import { describeStanding, describeUse } from '#web/shared/storage-words.ts'
import { UsageRow } from '#web/shared/usage-row.tsx'
import { Card, CardContent, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { Fact } from '#web/ui/fact.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { storageQuery } from './organization-queries.ts'

/** Files by kind, and exports. Summed up when it is shown, apart from the rest of the page. */
export function StorageCard({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(storageQuery(id))
  return (
    <Card aria-labelledby="storage-title">
      <CardHeader>
        <CardTitle id="storage-title">Storage</CardTitle>
      </CardHeader>
      <CardContent>
        {data ? (
          <Storage storage={data} />
        ) : error ? (
          <LoadFailure title="Couldn’t load storage" error={error} onRetry={() => void refetch()} />
        ) : (
          <output>
            <span className="sr-only">Loading storage</span>
            <Skeleton className="h-24" />
          </output>
        )}
      </CardContent>
    </Card>
  )
}

const kindNames: Readonly<Record<string, string>> = {
  screenshot: 'Screenshots',
  voice: 'Voice recordings',
  screen: 'Screen recordings',
  file: 'Attached files',
  replay: 'Replays',
}

function Storage({ storage }: { storage: InstanceOrganizationStorage }) {
  const { files, fileBytes, fileCount, fileLimitBytes, exportBytes, exportCount } = storage
  if (fileCount === 0 && exportCount === 0)
    return <p className="text-base text-muted">This organisation stores no files and no exports.</p>
  return (
    <div className="flex flex-col gap-4">
      <UsageRow
        name={formatQuantity(fileCount, 'file')}
        text={describeUse(fileBytes, fileLimitBytes)}
        note={describeStanding(fileBytes, fileLimitBytes)}
        used={fileBytes}
        limit={fileLimitBytes}
      />
      <dl className="divide-y divide-border text-base">
        {files.map(({ kind, count, bytes }) => (
          <Fact key={kind} name={kindNames[kind] ?? kind}>
            {formatQuantity(count, 'file')}, {formatBytes(bytes)}
          </Fact>
        ))}
        <Fact name="Exports">
          {formatQuantity(exportCount, 'export')}, {formatBytes(exportBytes)}
        </Fact>
      </dl>
    </div>
  )
}
