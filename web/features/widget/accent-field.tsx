import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { contrastRatio, luminance, parseColor } from '#contract/color.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { readColor } from './read-color.ts'

const white = luminance([255, 255, 255])
const nearBlack = luminance([24, 24, 27])
/** What WCAG 2.2 (1.4.11) asks of the edge of a control against what is around it. */
const leastContrast = 3

/** A colour that applies while it is typed, as soon as it is one. */
export function AccentField({ color, onChange }: { color: string; onChange: (color: string) => void }) {
  // Undefined: nothing is being typed, the field shows the colour.
  const [typed, setTyped] = useState<string>()
  const [isLeft, setLeft] = useState(false)
  const isRefused = typed !== undefined && readColor(typed) === undefined
  const warning = warnOfContrast(color)
  const type = (text: string) => {
    setTyped(text)
    setLeft(false)
    const read = readColor(text)
    if (read !== undefined) onChange(read)
  }
  return (
    <Field
      label="Accent colour"
      error={
        isRefused && isLeft ? 'Enter a colour as # and six digits or letters from a to f, like #0f766e.' : undefined
      }
      hint={
        warning ? (
          <span className="flex items-start gap-1.5 text-warning-text">
            <TriangleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
            {warning}
          </span>
        ) : (
          'Text on it is white or black, whichever is easier to read.'
        )
      }
    >
      {(control) => (
        <div className="flex gap-2">
          <input
            type="color"
            aria-label="Pick the accent colour"
            value={color}
            onChange={({ currentTarget }) => {
              setTyped(undefined)
              onChange(currentTarget.value.toLowerCase())
            }}
            className="h-9 w-12 shrink-0 cursor-pointer rounded-md border border-border-strong bg-surface p-1"
          />
          <Input
            {...control}
            value={typed ?? color}
            maxLength={30}
            spellCheck={false}
            autoComplete="off"
            onChange={({ currentTarget }) => type(currentTarget.value)}
            onBlur={() => {
              setLeft(true)
              if (!isRefused) setTyped(undefined)
            }}
            className="w-28 font-mono"
          />
        </div>
      )}
    </Field>
  )
}

function warnOfContrast(color: string): string | undefined {
  const own = luminance(parseColor(color))
  const onLight = contrastRatio(own, white)
  const onDark = contrastRatio(own, nearBlack)
  if (onLight < leastContrast) {
    return `On a white page the button stands out little (${onLight.toFixed(1)} : 1, advised is ${leastContrast} : 1).`
  }
  if (onDark < leastContrast) {
    return `On a dark page the button stands out little (${onDark.toFixed(1)} : 1, advised is ${leastContrast} : 1).`
  }
  return undefined
}
