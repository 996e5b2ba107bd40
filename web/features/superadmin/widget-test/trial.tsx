import { useEffect, useReducer, useRef, useState } from 'react'
import type { TestedProject } from '#contract/superadmin-widget-test.ts'
import type { TrialReport, TrialWish } from '#contract/trial-page.ts'
import { type WidgetLocale, widgetLocales } from '#contract/widget-settings.ts'
import { withBasePath } from '#web/lib/base-path.ts'
import { locale as appLocale } from '#web/lib/locale.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Segmented } from '#web/ui/segmented.tsx'
import { Select } from '#web/ui/select.tsx'
import { TestItems } from './test-items.tsx'
import { addReport, emptyLog } from './trial-log.ts'
import { TrialResults } from './trial-results.tsx'

const languageNames = new Intl.DisplayNames([appLocale], { type: 'language' })

interface Setting {
  readonly scheme: TrialWish['scheme']
  readonly locale: WidgetLocale | ''
  readonly policy: 'strict' | 'none'
  readonly network: TrialWish['network']
  readonly width: 'desktop' | 'phone'
}

/** The widget of one project on a sample page, and what it did. */
export function Trial({ project }: { project: TestedProject }) {
  const [setting, setSetting] = useState<Setting>({
    scheme: 'light',
    locale: '',
    policy: 'strict',
    network: 'normal',
    width: 'desktop',
  })
  const [round, setRound] = useState(0)
  const [log, add] = useReducer(addReport, emptyLog)
  const frame = useRef<HTMLIFrameElement>(null)
  const wish: TrialWish = {
    widgetKey: project.widgetKey,
    scheme: setting.scheme,
    locale: setting.locale,
    network: setting.network,
  }
  const latest = useRef(wish)
  latest.current = wish

  useEffect(() => {
    const listen = ({ source, origin, data }: MessageEvent<TrialReport | undefined>) => {
      if (source !== frame.current?.contentWindow || origin !== window.location.origin || !data?.kind) return
      add(data)
      if (data.kind === 'ready') frame.current?.contentWindow?.postMessage(latest.current, window.location.origin)
    }
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [])

  const { network } = setting
  useEffect(() => {
    // The page takes a changed network while it is open.
    frame.current?.contentWindow?.postMessage({ ...latest.current, network }, window.location.origin)
  }, [network])

  const change = (part: Partial<Setting>) => setSetting({ ...setting, ...part })
  return (
    <>
      <TrialSettings setting={setting} onChange={change} onReload={() => setRound(round + 1)} />
      <div className="flex justify-center overflow-hidden rounded-lg border border-border bg-sunken">
        <iframe
          // Another page for all that a page begins with.
          key={`${setting.scheme} ${setting.locale} ${setting.policy} ${round}`}
          ref={frame}
          title="Page with the widget"
          src={withBasePath(`/e/trial?policy=${setting.policy}`)}
          sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-downloads"
          allow="microphone; display-capture; clipboard-write"
          className={cn('h-160 w-full bg-white', setting.width === 'phone' && 'max-w-[390px] border-border border-x')}
        />
      </div>
      {project.isArchived && (
        <p className="text-base text-warning-text">This project is archived, so that its widget isn’t shown.</p>
      )}
      <TrialResults log={log} />
      <TestItems project={project} sent={log.events.filter(({ name }) => name === 'submit').length} />
    </>
  )
}

interface TrialSettingsProps {
  setting: Setting
  onChange: (part: Partial<Setting>) => void
  /** Begins the page again. */
  onReload: () => void
}

function TrialSettings({ setting, onChange, onReload }: TrialSettingsProps) {
  return (
    <section aria-label="Settings of the test" className="flex flex-wrap items-center gap-2">
      <Segmented
        label="Page"
        value={setting.scheme}
        options={[
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
        onChange={(scheme) => onChange({ scheme })}
      />
      <Segmented
        label="Width"
        value={setting.width}
        options={[
          { value: 'desktop', label: 'Desktop' },
          { value: 'phone', label: 'Phone' },
        ]}
        onChange={(width) => onChange({ width })}
      />
      <Segmented
        label="Network"
        value={setting.network}
        options={[
          { value: 'normal', label: 'Online' },
          { value: 'slow', label: 'Slow' },
          { value: 'offline', label: 'Offline' },
        ]}
        onChange={(next) => onChange({ network: next })}
      />
      <Select
        aria-label="Content security policy"
        className="w-auto"
        value={setting.policy}
        onChange={({ currentTarget }) => onChange({ policy: currentTarget.value === 'none' ? 'none' : 'strict' })}
      >
        <option value="strict">Strict policy</option>
        <option value="none">No policy</option>
      </Select>
      <Select
        aria-label="Language"
        className="w-auto"
        value={setting.locale}
        onChange={({ currentTarget: { value } }) =>
          onChange({ locale: widgetLocales.find((each) => each === value) ?? '' })
        }
      >
        <option value="">Your language</option>
        {widgetLocales.map((each) => (
          <option key={each} value={each}>
            {languageNames.of(each)}
          </option>
        ))}
      </Select>
      <Button variant="secondary" onClick={onReload}>
        Reload
      </Button>
    </section>
  )
}
