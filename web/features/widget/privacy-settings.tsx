import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import type { SettingsPartProps } from './settings-part.ts'

/** Which browser context the widget collects. */
export function PrivacySettings({ settings, change }: SettingsPartProps) {
  const { privacy } = settings
  const changePrivacy = (part: Partial<typeof privacy>) => change({ privacy: { ...privacy, ...part } })
  return (
    <>
      <SwitchRow
        label="Console"
        hint="The last 50 messages and errors of the page, sent only with feedback."
        checked={privacy.console}
        onChange={(on) => changePrivacy({ console: on })}
      />
      <SwitchRow
        label="Network"
        hint="Method, URL without query, status and duration of the last 50 requests. Never their contents."
        checked={privacy.network}
        onChange={(on) => changePrivacy({ network: on })}
      />
      <SwitchRow
        label="Browser storage"
        hint="Keeps drafts and unsent feedback. Off: a closed tab loses both."
        checked={privacy.storage}
        onChange={(on) => changePrivacy({ storage: on })}
      />
      <Field
        label="Always masked in screenshots and replays"
        hint={
          <>
            CSS selectors, one on each line. Passwords, payment fields and{' '}
            <code className="font-mono">[data-earshot-mask]</code> always are.
          </>
        }
      >
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            spellCheck={false}
            className="font-mono"
            placeholder=".account-number"
            value={privacy.mask.join('\n')}
            onChange={({ currentTarget }) => changePrivacy({ mask: currentTarget.value.split('\n').slice(0, 20) })}
          />
        )}
      </Field>
      <Field
        label="Fallback email address"
        aside="optional"
        hint="Offered to visitors whose network blocks the widget."
      >
        {(control) => (
          <Input
            {...control}
            type="email"
            maxLength={254}
            value={settings.contactEmail}
            onChange={({ currentTarget }) => change({ contactEmail: currentTarget.value.trim() })}
          />
        )}
      </Field>
    </>
  )
}
