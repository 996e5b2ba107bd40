import {
  type ChoicesChange,
  type DigestMode,
  digestModes,
  type NotificationChoices,
  type NotificationKind,
} from '#contract/notifications.ts'
import { Select } from '#web/ui/select.tsx'
import { Switch } from '#web/ui/switch.tsx'

const kinds: readonly { kind: NotificationKind; label: string }[] = [
  { kind: 'newFeedback', label: 'New feedback' },
  { kind: 'assigned', label: 'Assigned to you' },
  { kind: 'mentioned', label: 'Mentions of you' },
  { kind: 'visitorReplied', label: 'Visitors’ replies' },
]
const modeNames: Record<DigestMode, string> = {
  instant: 'Instantly',
  hourly: 'Every hour',
  daily: 'Daily, 8:00',
  off: 'Off',
}

/** A table of what is told, by email and in the app. `onChange` gets the change, and what takes it back. */
export function PreferenceMatrix({
  choices,
  scope,
  onChange,
}: {
  choices: NotificationChoices
  /** Whose preferences these are, for the names of the controls: a project, or all. */
  scope: string
  onChange: (next: ChoicesChange, former: ChoicesChange) => void
}) {
  return (
    <table className="w-full border-collapse text-base">
      <thead>
        <tr className="border-border border-b text-left text-muted text-sm">
          <th scope="col" className="px-4 py-2 font-medium">
            <span className="sr-only">Event</span>
          </th>
          <th scope="col" className="w-36 px-2 py-2 font-medium sm:w-44">
            Email
          </th>
          <th scope="col" className="w-16 px-2 py-2 pr-4 font-medium sm:w-24">
            App
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-border">
        {kinds.map(({ kind, label }) => (
          <tr key={kind}>
            <th scope="row" className="px-4 py-2.5 text-left font-normal">
              {label}
            </th>
            <td className="px-2 py-2.5">
              {kind === 'newFeedback' ? (
                <Select
                  aria-label={`${label} by email, ${scope}`}
                  value={choices.newFeedback.mail}
                  onChange={({ currentTarget }) =>
                    onChange(
                      // The options below are the modes.
                      { newFeedback: { mail: currentTarget.value as DigestMode } },
                      { newFeedback: { mail: choices.newFeedback.mail } },
                    )
                  }
                >
                  {digestModes.map((mode) => (
                    <option key={mode} value={mode}>
                      {modeNames[mode]}
                    </option>
                  ))}
                </Select>
              ) : (
                <Switch
                  aria-label={`${label} by email, ${scope}`}
                  checked={choices[kind].mail}
                  onChange={(mail) => onChange({ [kind]: { mail } }, { [kind]: { mail: !mail } })}
                />
              )}
            </td>
            <td className="px-2 py-2.5 pr-4">
              <Switch
                aria-label={`${label} in the app, ${scope}`}
                checked={choices[kind].app}
                onChange={(app) => onChange({ [kind]: { app } }, { [kind]: { app: !app } })}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
