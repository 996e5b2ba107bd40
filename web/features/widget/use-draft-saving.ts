import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { saveWidgetDraft, type WidgetConfig } from '#contract/widget-config.ts'
import type { WidgetSettings } from '#contract/widget-settings.ts'
import { call } from '#web/lib/api.ts'
import { prepareSettings } from './prepare-settings.ts'
import { widgetQuery } from './widget-queries.ts'

/** Long enough for a word or a slide of the hand, short enough for the preview to feel live. */
const pauseMs = 400

export type Saving = 'saved' | 'saving' | 'incomplete' | 'failed'

interface ProjectParams {
  readonly organizationId: string
  readonly projectId: string
}

interface DraftSaving {
  /** As they stand in the form. */
  readonly settings: WidgetSettings
  readonly saving: Saving
  change(part: Partial<WidgetSettings>): void
  /** Saves at once; resolves when the draft is on the server, or saving it failed. */
  save(): Promise<void>
  /** Drops a save that has not begun; resolves when those that have are through. */
  cancelSaving(): Promise<void>
  restore(settings: WidgetSettings): void
  /** Shows the server's settings instead of the form's, which it returns. */
  take(next: WidgetConfig): WidgetSettings
}

/** The form's settings, saved as a draft a moment after every change. */
export function useDraftSaving(params: ProjectParams, config: WidgetConfig): DraftSaving {
  const queryClient = useQueryClient()
  const [settings, setSettings] = useState(config.draft ?? config.published)
  const [saving, setSaving] = useState<Saving>('saved')
  const latest = useRef(settings)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // One save at a time, in the order of the changes.
  const queue = useRef(Promise.resolve())

  const store = (next: WidgetConfig) =>
    queryClient.setQueryData(widgetQuery(params.organizationId, params.projectId).queryKey, next)
  const stopTimer = () => {
    clearTimeout(timer.current)
    timer.current = undefined
  }
  const show = (next: WidgetSettings) => {
    latest.current = next
    setSettings(next)
  }

  const save = () => {
    stopTimer()
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

  // Who leaves the screen in the middle of a pause has changed it all the same.
  const saveRef = useRef(save)
  saveRef.current = save
  useEffect(
    () => () => {
      if (timer.current !== undefined) void saveRef.current()
    },
    [],
  )

  return {
    settings,
    saving,
    change: (part) => {
      show({ ...latest.current, ...part })
      setSaving('saving')
      stopTimer()
      timer.current = setTimeout(() => saveRef.current(), pauseMs)
    },
    save,
    cancelSaving: () => {
      stopTimer()
      return queue.current
    },
    restore: (dropped) => {
      show(dropped)
      void save()
    },
    take: (next) => {
      stopTimer()
      const dropped = latest.current
      show(next.draft ?? next.published)
      setSaving('saved')
      store(next)
      return dropped
    },
  }
}
