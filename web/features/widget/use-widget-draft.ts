import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import {
  discardWidgetDraft,
  publishWidget,
  saveWidgetDraft,
  undoWidgetPublish,
  type WidgetConfig,
} from '#contract/widget-config.ts'
import type { WidgetSettings } from '#contract/widget-settings.ts'
import { call } from '#web/lib/api.ts'
import { toast } from '#web/ui/toast.tsx'
import { prepareSettings } from './prepare-settings.ts'
import { widgetQuery } from './widget-queries.ts'

/** Long enough for a word or a slide of the hand, short enough for the preview to feel live. */
const pauseMs = 400

export type Saving = 'saved' | 'saving' | 'incomplete' | 'failed'

interface WidgetDraft {
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
  const queryClient = useQueryClient()
  const params = { organizationId, projectId }
  const [settings, setSettings] = useState(config.draft ?? config.published)
  const [saving, setSaving] = useState<Saving>('saved')
  const latest = useRef(settings)
  // What an undo takes back, as of the last answer.
  const publishedAt = useRef(config.publishedAt)
  publishedAt.current = config.publishedAt
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // One save at a time, in the order of the changes.
  const queue = useRef(Promise.resolve())

  const store = (next: WidgetConfig) => queryClient.setQueryData(widgetQuery(organizationId, projectId).queryKey, next)

  const save = () => {
    clearTimeout(timer.current)
    timer.current = undefined
    const prepared = prepareSettings(latest.current)
    if (!prepared) {
      setSaving('incomplete')
      return queue.current
    }
    setSaving('saving')
    queue.current = queue.current.then(async () => {
      const saved = latest.current
      try {
        store(await call(saveWidgetDraft, { params, body: prepared }))
        if (latest.current === saved && timer.current === undefined) setSaving('saved')
      } catch {
        setSaving('failed')
      }
    })
    return queue.current
  }

  const take = (next: WidgetConfig) => {
    clearTimeout(timer.current)
    timer.current = undefined
    latest.current = next.draft ?? next.published
    setSettings(latest.current)
    setSaving('saved')
    store(next)
  }

  // Who leaves the screen in the middle of a pause has changed it all the same.
  const saveRef = useRef(save)
  saveRef.current = save
  useEffect(
    () => () => {
      if (timer.current !== undefined) void saveRef.current()
    },
    [],
  )

  const publishing = useMutation({
    mutationFn: async () => {
      await save()
      return call(publishWidget, { params, body: {} })
    },
    onSuccess: (next) => {
      take(next)
      toast({
        title: 'Published',
        description: 'Your pages show it within seconds.',
        tone: 'success',
        action: { label: 'Undo', onPress: () => undoing.mutate() },
      })
    },
    onError: (error) => toast({ title: 'Not published', description: error.message, tone: 'danger' }),
  })
  const undoing = useMutation({
    mutationFn: () => call(undoWidgetPublish, { params, body: { publishedAt: publishedAt.current } }),
    onSuccess: (next) => {
      take(next)
      toast({ title: 'Back to what was published before', tone: 'success' })
    },
    onError: (error) => toast({ title: 'Not undone', description: error.message, tone: 'danger' }),
  })
  const discarding = useMutation({
    mutationFn: async () => {
      clearTimeout(timer.current)
      timer.current = undefined
      await queue.current
      return call(discardWidgetDraft, { params })
    },
    onSuccess: (next) => {
      const dropped = latest.current
      take(next)
      toast({
        title: 'Changes discarded',
        action: {
          label: 'Undo',
          onPress: () => {
            latest.current = dropped
            setSettings(dropped)
            void save()
          },
        },
      })
    },
    onError: (error) => toast({ title: 'Not discarded', description: error.message, tone: 'danger' }),
  })

  return {
    settings,
    saving,
    hasChanges: config.draft !== null || saving !== 'saved',
    isBusy: publishing.isPending || undoing.isPending || discarding.isPending,
    change: (part) => {
      latest.current = { ...latest.current, ...part }
      setSettings(latest.current)
      setSaving('saving')
      clearTimeout(timer.current)
      timer.current = setTimeout(() => saveRef.current(), pauseMs)
    },
    retry: () => void save(),
    publish: async () => void (await publishing.mutateAsync().catch(() => {})),
    undo: async () => void (await undoing.mutateAsync().catch(() => {})),
    discard: async () => void (await discarding.mutateAsync().catch(() => {})),
  }
}
