import { SwitchRow } from '#web/ui/switch.tsx'
import type { SettingsPartProps } from './settings-part.ts'

const modes = [
  { name: 'screenshot', label: 'Screenshot', hint: 'A picture of the page that visitors can annotate.' },
  { name: 'voice', label: 'Voice note', hint: 'Up to five minutes.' },
  { name: 'screen', label: 'Screen recording', hint: 'Up to ten minutes, with optional microphone.' },
  { name: 'file', label: 'Files', hint: 'Selected, pasted or dropped; up to 25 MB each.' },
] as const

/** What visitors can attach. */
export function CaptureSettings({ settings, change }: SettingsPartProps) {
  const { capture } = settings
  return (
    <>
      {modes.map(({ name, label, hint }) => (
        <SwitchRow
          key={name}
          label={label}
          hint={hint}
          checked={capture[name]}
          onChange={(on) => change({ capture: { ...capture, [name]: on } })}
        />
      ))}
      <SwitchRow
        label="Replay of the last minute"
        hint="Keeps the last minute on the page in the visitor’s browser, with all fields masked. Visitors preview it and decide whether to attach it."
        checked={settings.replay}
        onChange={(replay) => change({ replay })}
      />
      <SwitchRow
        label="Visitor’s own feedback"
        hint="Visitors see their earlier feedback, its status and your replies."
        checked={settings.ownItems}
        onChange={(ownItems) => change({ ownItems })}
      />
    </>
  )
}
