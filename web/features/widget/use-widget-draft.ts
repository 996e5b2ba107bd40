import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { discardWidgetDraft, publishWidget, undoWidgetPublish, type WidgetConfig } from '#contract/widget-config.ts'
import type { WidgetSettings } from '#contract/widget-settings.ts'
import { call } from '#web/lib/api.ts'
import { toast } from '#web/ui/toast.tsx'
import { type Saving, useDraftSaving } from './use-draft-saving.ts'

export interface WidgetDraft {
  /** As they stand in the form. */
  readonly settings: WidgetSettings
  readonly saving: Saving
  /** Whether there is something that visitors do not see yet. */
  readonly hasChanges: boolean
  readonly isBusy: boolean
  change(part: Partial<WidgetSettings>): void
  retry(): void
  publish(): Promise<void>
  undo(): Promise<void>
  discard(): Promise<void>
}

/**
 * The settings being worked on: every change is kept as a draft on the server a moment later, so that nothing is lost
 * with the tab, and reaches visitors when it is published.
 */
export function useWidgetDraft(organizationId: string, projectId: string, config: WidgetConfig): WidgetDraft {
  const params = { organizationId, projectId }
  const { settings, saving, change, save, cancelSaving, restore, take } = useDraftSaving(params, config)
  // What an undo takes back, as of the last answer.
  const publishedAt = useRef(config.publishedAt)
  publishedAt.current = config.publishedAt

  const publishing = useMutation({
    mutationFn: async () => {
      await save()
      return call(publishWidget, { params, body: {} })
    },
    onSuccess: (next) => {
      take(next)
      toast({
        title: 'Published',
        description: 'Your site updates within seconds.',
        tone: 'success',
        action: { label: 'Undo', onPress: () => undoing.mutate() },
      })
    },
    onError: (error) => toast({ title: 'Couldn’t publish', error, tone: 'danger' }),
  })
  const undoing = useMutation({
    mutationFn: () => call(undoWidgetPublish, { params, body: { publishedAt: publishedAt.current } }),
    onSuccess: (next) => {
      take(next)
      toast({ title: 'Previous version restored', tone: 'success' })
    },
    onError: (error) => toast({ title: 'Couldn’t undo publishing', error, tone: 'danger' }),
  })
  const discarding = useMutation({
    mutationFn: async () => {
      await cancelSaving()
      return call(discardWidgetDraft, { params })
    },
    onSuccess: (next) => {
      const dropped = take(next)
      toast({ title: 'Changes discarded', action: { label: 'Undo', onPress: () => restore(dropped) } })
    },
    onError: (error) => toast({ title: 'Couldn’t discard the changes', error, tone: 'danger' }),
  })

  return {
    settings,
    saving,
    hasChanges: config.draft !== null || saving !== 'saved',
    isBusy: publishing.isPending || undoing.isPending || discarding.isPending,
    change,
    retry: () => void save(),
    publish: async () => void (await publishing.mutateAsync().catch(() => {})),
    undo: async () => void (await undoing.mutateAsync().catch(() => {})),
    discard: async () => void (await discarding.mutateAsync().catch(() => {})),
  }
}
