import { SwitchRow } from '#web/ui/switch.tsx'
import type { SettingsPartProps } from './settings-part.ts'

const modes = [
  { name: 'screenshot', label: 'Screenshot', hint: 'Taken in the page, to be drawn on.' },
  { name: 'voice', label: 'Voice note', hint: 'Up to five minutes.' },
  { name: 'screen', label: 'Screen recording', hint: 'Up to ten minutes, with the microphone if they wish.' },
  { name: 'file', label: 'Files', hint: 'Chosen, pasted or dropped; up to 25 MB each.' },
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
        hint="Remembers what the visitor did on the page, in their browser only, with all fields masked. They see it and choose whether to attach it."
        checked={settings.replay}
        onChange={(replay) => change({ replay })}
      />
      <SwitchRow
        label="List of own feedback"
        hint="Visitors see what they sent before, its status and your replies."
        checked={settings.ownItems}
        onChange={(ownItems) => change({ ownItems })}
      />
    </>
  )
}
