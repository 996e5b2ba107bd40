import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { removeTestItem, type TestedProject, type TestItem } from '#contract/superadmin-widget-test.ts'
import { call } from '#web/lib/api.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { testItemsQuery } from './widget-test-queries.ts'

/** Test items of the project that have arrived. @param sent how many the widget has sent: each is looked for at once */
export function TestItems({ project, sent }: { project: TestedProject; sent: number }) {
  const { data, error, refetch } = useQuery(testItemsQuery(project))
  const [removed, setRemoved] = useState<TestItem>()
  useEffect(() => {
    if (sent > 0) void refetch()
  }, [sent, refetch])
  return (
    <Card aria-labelledby="received-title">
      <CardHeader>
        <CardTitle id="received-title">Received</CardTitle>
        <CardDescription>The latest test items of this project.</CardDescription>
      </CardHeader>
      <CardContent>
        {data ? (
          <ul aria-live="polite" aria-label="Test items" className="divide-y divide-border">
            {data.items.map((item) => (
              <li key={item.id} className="flex items-center gap-3 py-1.5 text-base">
                <span className="text-muted tabular-nums">#{item.number}</span>
                <span className="min-w-0 flex-1 truncate" dir="auto">
                  {item.excerpt || 'No message'}
                </span>
                {item.isLocked && <Badge tone="warning">Locked</Badge>}
                <RelativeTime iso={item.createdAt} short className="text-muted text-sm" />
                <Button
                  variant="ghost"
                  size="icon-sm"
                  aria-label={`Delete test item #${item.number}`}
                  title="Delete"
                  onClick={() => setRemoved(item)}
                >
                  <Trash2 aria-hidden="true" />
                </Button>
              </li>
            ))}
            {data.items.length === 0 && <li className="py-2 text-base text-muted">No test items yet.</li>}
          </ul>
        ) : error ? (
          <LoadFailure title="Couldn’t load the test items" error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton className="h-16" />
        )}
      </CardContent>
      {removed && <RemoveDialog project={project} item={removed} onClose={() => setRemoved(undefined)} />}
    </Card>
  )
}

function RemoveDialog({ project, item, onClose }: { project: TestedProject; item: TestItem; onClose: () => void }) {
  const queryClient = useQueryClient()
  const remove = useMutation({
    mutationFn: () =>
      call(removeTestItem, { params: { organizationId: project.organization.id, feedbackId: item.id } }),
    networkMode: 'always',
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: testItemsQuery(project).queryKey })
      toast({ title: `Test item #${item.number} deleted` })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete test item #${item.number}?`}
      action="Delete test item"
      isDangerous
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    >
      <p>The item and its files are permanently deleted. The organisation’s audit log records it.</p>
    </ConfirmDialog>
  )
}
