import { Monitor, Moon, Smartphone, Sun } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type WidgetLocale, widgetLocales } from '#contract/widget-settings.ts'
import { withBasePath } from '#web/lib/base-path.ts'
import { cn } from '#web/ui/class-names.ts'
import { Segmented } from '#web/ui/segmented.tsx'
import { Select } from '#web/ui/select.tsx'
import { localeNames } from './locale-names.ts'

interface PreviewProps {
  widgetKey: string
  /** Names the present state of the draft; null: what is published. */
  draftToken: string | null
  /** Whether the settings at hand show in the panel: it opens with them, and closes when others are edited. */
  isPanelShown: boolean
}

/** The real widget on a sample page. Feedback sent here isn't stored. */
export function WidgetPreview({ widgetKey, draftToken, isPanelShown }: PreviewProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [scheme, setScheme] = useState<'light' | 'dark'>('light')
  const [device, setDevice] = useState<'desktop' | 'phone'>('desktop')
  const [locale, setLocale] = useState<WidgetLocale | ''>('')
  const state = { widgetKey, draft: draftToken, scheme, locale, isPanelShown }
  const latest = useRef(state)
  latest.current = state

  useEffect(() => {
    const message = { widgetKey, draft: draftToken, scheme, locale, isPanelShown }
    frame.current?.contentWindow?.postMessage(message, window.location.origin)
  }, [widgetKey, draftToken, scheme, locale, isPanelShown])

  useEffect(() => {
    // The page inside announces when it is ready for messages.
    const answer = (event: MessageEvent) => {
      if (event.source !== frame.current?.contentWindow || event.data !== 'ready') return
      frame.current?.contentWindow?.postMessage(latest.current, window.location.origin)
    }
    window.addEventListener('message', answer)
    return () => window.removeEventListener('message', answer)
  }, [])

  return (
    <section aria-label="Preview" className="flex min-h-0 flex-1 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <Segmented
          label="Page"
          value={scheme}
          options={[
            { value: 'light', label: <IconLabel icon={<Sun />} text="Light page" /> },
            { value: 'dark', label: <IconLabel icon={<Moon />} text="Dark page" /> },
          ]}
          onChange={setScheme}
        />
        <Segmented
          label="Device"
          value={device}
          options={[
            { value: 'desktop', label: <IconLabel icon={<Monitor />} text="Desktop" /> },
            { value: 'phone', label: <IconLabel icon={<Smartphone />} text="Phone" /> },
          ]}
          onChange={setDevice}
        />
        <Select
          aria-label="Language of the preview"
          className="w-auto"
          value={locale}
          // The options below are the locales and the empty one.
          onChange={({ currentTarget }) => setLocale(currentTarget.value as WidgetLocale | '')}
        >
          <option value="">Your language</option>
          {widgetLocales.map((each) => (
            <option key={each} value={each}>
              {localeNames[each]}
            </option>
          ))}
        </Select>
      </div>
      <div className="flex min-h-108 flex-1 justify-center overflow-hidden rounded-lg border border-border bg-sunken">
        <iframe
          ref={frame}
          title="Widget preview"
          src={withBasePath('/e/preview')}
          allow="microphone; display-capture; clipboard-write"
          className={cn('h-full w-full bg-white', device === 'phone' && 'max-w-[390px] border-border border-x')}
        />
      </div>
      <p className="text-muted text-sm">This is the real widget. Feedback sent here isn’t stored.</p>
    </section>
  )
}

function IconLabel({ icon, text }: { icon: React.ReactNode; text: string }) {
  return (
    <span className="flex items-center [&_svg]:size-4" title={text}>
      <span aria-hidden="true">{icon}</span>
      <span className="sr-only">{text}</span>
    </span>
  )
}
