import { type Density, setDensity, useDensity } from '#web/lib/density.ts'
import { setTheme, useTheme } from '#web/lib/theme.ts'
import { themeChoices } from '#web/lib/theme-choices.ts'
import { Segmented } from '#web/ui/segmented.tsx'

const densities: readonly { value: Density; label: string }[] = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
]

/** Colours and row heights on this device. They apply as they are selected. */
export function AppearanceChoices() {
  const theme = useTheme()
  const density = useDensity()
  return (
    <div className="flex flex-col gap-4 p-5">
      <div className="flex flex-col items-start gap-1.5">
        <p aria-hidden="true" className="font-medium text-base">
          Theme
        </p>
        <Segmented
          label="Theme"
          value={theme}
          options={themeChoices.map(({ theme: value, label, icon: Icon }) => ({
            value,
            label: (
              <span className="flex items-center gap-2">
                <Icon aria-hidden="true" className="size-4" />
                {label}
              </span>
            ),
          }))}
          onChange={setTheme}
        />
      </div>
      <div className="flex flex-col items-start gap-1.5">
        <p aria-hidden="true" className="font-medium text-base">
          List density
        </p>
        <Segmented label="List density" value={density} options={densities} onChange={setDensity} />
        <p className="text-muted text-sm">Compact shows more rows in the inbox, visitors and projects.</p>
      </div>
    </div>
  )
}
