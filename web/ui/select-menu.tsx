import { Check } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { KeyboardEvent, ReactElement, ReactNode } from 'react'
import { cn } from './class-names.ts'
import { Kbd } from './kbd.tsx'
import { MenuContent, MenuLabel, MenuSeparator } from './menu.tsx'

export interface Choice {
  value: string
  label: string
  icon?: ReactNode
}

const itemStyles = cn(
  'group flex h-8 cursor-default select-none items-center gap-2.5 rounded-sm px-2 text-base text-foreground outline-none',
  'data-[highlighted]:bg-hover [&_svg]:size-4 [&_svg]:shrink-0 pointer-coarse:h-10',
)

interface MenuProps {
  label: string
  /** What opens the menu: one element that takes a ref. */
  children: ReactElement
  open?: boolean
  onOpenChange?: (open: boolean) => void
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'bottom'
}

/**
 * Chooses one of a few values. Each has a number key. `extra` are further choices below a line, numbered on.
 * `returnFocus` says where focus goes when the menu closes, if not to what opened it.
 */
export function SelectMenu({
  label,
  value,
  choices,
  extra,
  onChoose,
  returnFocus,
  children,
  align = 'start',
  side = 'bottom',
  ...state
}: MenuProps & {
  value: string
  choices: readonly Choice[]
  extra?: { label: string; choices: readonly Choice[] }
  onChoose: (value: string) => void
  returnFocus?: () => void
}) {
  const all = [...choices, ...(extra?.choices ?? [])]
  const chooseByNumber = (event: KeyboardEvent) => {
    const chosen = /^[1-9]$/.test(event.key) ? all[Number(event.key) - 1] : undefined
    if (!chosen) return
    event.preventDefault()
    event.stopPropagation()
    onChoose(chosen.value)
    state.onOpenChange?.(false)
  }
  const items = (list: readonly Choice[], firstNumber: number) =>
    list.map((choice, index) => (
      <Radix.RadioItem key={choice.value} value={choice.value} className={itemStyles}>
        {choice.icon}
        <span className="flex-1">{choice.label}</span>
        <Radix.ItemIndicator>
          <Check aria-hidden="true" className="text-muted" />
        </Radix.ItemIndicator>
        <Kbd aria-hidden="true" className="pointer-coarse:hidden">
          {firstNumber + index}
        </Kbd>
      </Radix.RadioItem>
    ))
  return (
    <Radix.Root {...state} modal={false}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <MenuContent
        align={align}
        side={side}
        aria-label={label}
        className="w-56"
        onKeyDown={chooseByNumber}
        onCloseAutoFocus={(event) => {
          // Focus returns a moment after closing. A menu that the next key opened meanwhile would lose it, and close.
          const isNextOpen = document.querySelector('[role="menu"][data-state="open"]') !== null
          if (isNextOpen || returnFocus) event.preventDefault()
          if (!isNextOpen) returnFocus?.()
        }}
      >
        <Radix.RadioGroup value={value} onValueChange={onChoose}>
          <MenuLabel>{label}</MenuLabel>
          {items(choices, 1)}
          {extra && (
            <>
              <MenuSeparator />
              <MenuLabel>{extra.label}</MenuLabel>
              {items(extra.choices, choices.length + 1)}
            </>
          )}
        </Radix.RadioGroup>
      </MenuContent>
    </Radix.Root>
  )
}
