import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type FigureName, formatFigure, isFigureName, monitoredFigures } from '#contract/monitored-figures.ts'
import type { Threshold } from '#contract/superadmin-monitoring.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { ListSkeleton } from '../list-skeleton.tsx'
import { thresholdsQuery } from './monitoring-queries.ts'
import { ThresholdDialog } from './threshold-dialog.tsx'

/** From when on superadmins are emailed. */
export function ThresholdsCard() {
  const { data, error, refetch } = useQuery(thresholdsQuery)
  const [edited, setEdited] = useState<Threshold & { figure: FigureName }>()
  return (
    <Card aria-labelledby="thresholds-title">
      <CardHeader>
        <CardTitle id="thresholds-title">Thresholds</CardTitle>
        <CardDescription>A figure beyond its threshold for all these minutes raises an alert.</CardDescription>
      </CardHeader>
      <CardContent>
        {data ? (
          <ul aria-label="Thresholds" className="divide-y divide-border">
            {data.items.map(({ figure, ...threshold }) =>
              isFigureName(figure) ? (
                <li key={figure}>
                  <ThresholdRow
                    figure={figure}
                    threshold={threshold}
                    onEdit={() => setEdited({ figure, ...threshold })}
                  />
                </li>
              ) : null,
            )}
          </ul>
        ) : error ? (
          <LoadFailure title="Couldn’t load thresholds" error={error} onRetry={() => void refetch()} />
        ) : (
          <ListSkeleton label="Loading thresholds" />
        )}
      </CardContent>
      {edited && <ThresholdDialog threshold={edited} onClose={() => setEdited(undefined)} />}
    </Card>
  )
}

interface ThresholdRowProps {
  figure: FigureName
  threshold: Omit<Threshold, 'figure'>
  onEdit: () => void
}

function ThresholdRow({ figure, threshold: { limit, minutes, isEnabled, isDefault }, onEdit }: ThresholdRowProps) {
  const { label, alertsWhen, unit, meaning } = monitoredFigures[figure]
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 text-base">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{label}</span>
          {!isEnabled && <Badge>Off</Badge>}
          {!isDefault && <Badge tone="accent">Changed</Badge>}
        </p>
        <p className="text-muted text-sm">{meaning}</p>
      </div>
      <p className="text-sm tabular-nums sm:text-right">
        {alertsWhen === 'above' ? 'Above' : 'Below'} {formatFigure(limit, unit)} for{' '}
        {minutes === 1 ? '1 minute' : `${minutes} minutes`}
      </p>
      <Button variant="secondary" size="sm" aria-label={`Edit threshold: ${label}`} onClick={onEdit}>
        Edit
      </Button>
    </div>
  )
}
