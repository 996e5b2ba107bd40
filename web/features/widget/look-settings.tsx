import type { WidgetSettings } from '#contract/widget-settings.ts'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { Field } from '#web/ui/field.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'
import { AccentField } from './accent-field.tsx'
import { GreetingSettings } from './greeting-settings.tsx'
import { Labelled } from './labelled.tsx'
import { PositionPicker } from './position-picker.tsx'
import type { SettingsPartProps } from './settings-part.ts'

/** Colours, corners, and where the button stands. */
export function LookSettings({ settings, change }: SettingsPartProps) {
  const { launcher } = settings
  const changeLauncher = (part: Partial<WidgetSettings['launcher']>) => change({ launcher: { ...launcher, ...part } })
  return (
    <>
      <Labelled label="Panel theme">
        <Segmented
          label="Panel theme"
          value={settings.theme}
          options={[
            { value: 'auto', label: "Visitor's preference" },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
          onChange={(theme) => change({ theme })}
        />
      </Labelled>
      <AccentField color={settings.color} onChange={(color) => change({ color })} />
      <Field label="Corners" aside={`${settings.radius} px`}>
        {(control) => (
          <input
            {...control}
            type="range"
            min={0}
            max={24}
            value={settings.radius}
            onChange={({ currentTarget }) => change({ radius: Number(currentTarget.value) })}
            className="h-9 w-full accent-(--accent)"
          />
        )}
      </Field>
      <GreetingSettings settings={settings} change={change} />
      <SwitchRow
        label="Show feedback button"
        hint="Off: open the panel from your own element or code."
        checked={launcher.kind === 'button'}
        onChange={(on) => changeLauncher({ kind: on ? 'button' : 'custom' })}
      />
      {launcher.kind === 'button' ? (
        <>
          <PositionPicker
            value={launcher.position}
            color={settings.color}
            onChange={(position) => changeLauncher({ position })}
          />
          <Field label="Distance from the edge" aside={`${launcher.offset} px`}>
            {(control) => (
              <input
                {...control}
                type="range"
                min={0}
                max={200}
                value={launcher.offset}
                onChange={({ currentTarget }) => changeLauncher({ offset: Number(currentTarget.value) })}
                className="h-9 w-full accent-(--accent)"
              />
            )}
          </Field>
        </>
      ) : (
        <CodeBlock
          label="Open the panel from your page"
          code={`earshot('attachTo', '#your-button')\n// or, from your code:\nearshot('open')`}
        />
      )}
    </>
  )
}
