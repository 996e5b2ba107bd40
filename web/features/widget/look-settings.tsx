import type { launcherPositions, WidgetSettings } from '#contract/widget-settings.ts'
import { cn } from '#web/ui/class-names.ts'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { Field } from '#web/ui/field.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'
import { AccentField } from './accent-field.tsx'
import { Labelled } from './labelled.tsx'
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
      <SwitchRow
        label="Show feedback button"
        hint="Off: open the panel from your own element or code."
        checked={launcher.kind === 'button'}
        onChange={(on) => changeLauncher({ kind: on ? 'button' : 'custom' })}
      />
      {launcher.kind === 'button' ? (
        <>
          <Labelled label="Position">
            <PositionPicker value={launcher.position} onChange={(position) => changeLauncher({ position })} />
          </Labelled>
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

const positionLabels: Record<(typeof launcherPositions)[number], string> = {
  'top-left': 'Top left',
  'top-right': 'Top right',
  'middle-left': 'Middle left',
  'middle-right': 'Middle right',
  'bottom-left': 'Bottom left',
  'bottom-right': 'Bottom right',
}

const pickerOrder = ['top-left', 'top-right', 'middle-left', 'middle-right', 'bottom-left', 'bottom-right'] as const

/** A small page with the six places a button can have. */
function PositionPicker({
  value,
  onChange,
}: {
  value: (typeof launcherPositions)[number]
  onChange: (value: (typeof launcherPositions)[number]) => void
}) {
  return (
    <fieldset className="grid w-40 grid-cols-2 justify-items-start gap-y-2 rounded-md border border-border bg-sunken p-2">
      <legend className="sr-only">Button position</legend>
      {pickerOrder.map((position) => (
        <label
          key={position}
          title={positionLabels[position]}
          className={cn(
            'flex h-8 w-14 cursor-pointer items-center justify-center rounded-full border has-focus-visible:outline-2 has-focus-visible:outline-ring',
            position.endsWith('right') && 'justify-self-end',
            value === position ? 'border-accent bg-accent' : 'border-border-strong bg-surface hover:bg-hover',
          )}
        >
          <input
            type="radio"
            name="position"
            className="sr-only"
            checked={value === position}
            onChange={() => onChange(position)}
          />
          <span className="sr-only">{positionLabels[position]}</span>
        </label>
      ))}
    </fieldset>
  )
}
