import { type ReactNode, useEffect } from 'react'
import { captureEvent } from '../lib/analytics.ts'
import { TabLinks } from '../ui/tab-links.tsx'
import { useSettingsParts } from './settings-parts.ts'

/** The page around every part of the settings. `section`: the part, as analytics calls it. */
export function SettingsFrame({ section, children }: { section: string; children: ReactNode }) {
  useEffect(() => captureEvent('settings_viewed', { section }), [section])
  const tabs = useSettingsParts()
  return (
    <div className="mx-auto w-full max-w-5xl px-4 py-6 sm:px-8 sm:py-8">
      <h1 className="font-semibold text-2xl">Settings</h1>
      <TabLinks label="Settings" tabs={tabs} />
      <div className="mt-8">{children}</div>
    </div>
  )
}
