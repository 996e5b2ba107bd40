import { Check } from 'lucide-react'
import { Slot } from 'radix-ui'
import { type KeyboardEvent, type ReactElement, type ReactNode, useState } from 'react'
import { Attached } from './attached.tsx'
import { cn } from './class-names.ts'
import { makeMenuTrigger } from './early-triggers.ts'
import { Kbd } from './kbd.tsx'
import { getOverlays, useOverlays } from './late-overlays.ts'
import { MenuLabel, MenuSeparator, MenuWindow } from './menu.tsx'

export interface Choice {
  value: string
  label: string
  icon?: ReactNode
  /** Beside the label, e.g. what it comes to. */
  note?: string
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

interface SelectMenuProps extends MenuProps {
  value: string
  choices: readonly Choice[]
  extra?: { label: string; choices: readonly Choice[] }
  onChoose: (value: string) => void
  returnFocus?: () => void
}

/**
 * Chooses one of a few values. Each has a number key. `extra` are further choices below a line, numbered on.
 * `returnFocus` says where focus goes when the menu closes, if not to what opened it.
 */
export function SelectMenu(props: SelectMenuProps) {
  const [isOpenByItself, setOpenByItself] = useState(false)
  const [element, setElement] = useState<HTMLElement | null>(null)
  const isOpen = props.open ?? isOpenByItself
  const setOpen = (open: boolean) => {
    setOpenByItself(open)
    props.onOpenChange?.(open)
  }
  const overlays = useOverlays(isOpen)
  return (
    <>
      <Slot.Root ref={setElement} {...makeMenuTrigger(() => setOpen(true))}>
        {props.children}
      </Slot.Root>
      {overlays && element && (
        <overlays.DropdownMenu.Root open={isOpen} onOpenChange={setOpen} modal={false}>
          <overlays.DropdownMenu.Trigger asChild>
            <Attached element={element} />
          </overlays.DropdownMenu.Trigger>
          <SelectWindow {...props} onClose={() => setOpen(false)} />
        </overlays.DropdownMenu.Root>
      )}
    </>
  )
}

function SelectWindow({
  label,
  value,
  choices,
  extra,
  onChoose,
  onClose,
  returnFocus,
  align = 'start',
  side = 'bottom',
}: SelectMenuProps & { onClose: () => void }) {
  const { DropdownMenu } = getOverlays()
  const all = [...choices, ...(extra?.choices ?? [])]
  const chooseByNumber = (event: KeyboardEvent) => {
    const chosen = /^[1-9]$/.test(event.key) ? all[Number(event.key) - 1] : undefined
    if (!chosen) return
    event.preventDefault()
    event.stopPropagation()
    onChoose(chosen.value)
    onClose()
  }
  const items = (list: readonly Choice[], firstNumber: number) =>
    list.map((choice, index) => (
      <DropdownMenu.RadioItem key={choice.value} value={choice.value} className={itemStyles}>
        {choice.icon}
        <span className="flex-1 whitespace-nowrap">{choice.label}</span>
        {choice.note !== undefined && (
          <span className="whitespace-nowrap text-muted text-sm tabular-nums">{choice.note}</span>
        )}
        <DropdownMenu.ItemIndicator>
          <Check aria-hidden="true" className="text-muted" />
        </DropdownMenu.ItemIndicator>
        <Kbd aria-hidden="true" className="pointer-coarse:hidden">
          {firstNumber + index}
        </Kbd>
      </DropdownMenu.RadioItem>
    ))
  return (
    <MenuWindow
      align={align}
      side={side}
      aria-label={label}
      className="w-max min-w-56"
      onKeyDown={chooseByNumber}
      onCloseAutoFocus={(event) => {
        // Focus returns a moment after closing. A menu that the next key opened meanwhile would lose it, and close.
        const isNextOpen = document.querySelector('[role="menu"][data-state="open"]') !== null
        if (isNextOpen || returnFocus) event.preventDefault()
        if (!isNextOpen) returnFocus?.()
      }}
    >
      <DropdownMenu.RadioGroup value={value} onValueChange={onChoose}>
        <MenuLabel>{label}</MenuLabel>
        {items(choices, 1)}
        {extra && (
          <>
            <MenuSeparator />
            <MenuLabel>{extra.label}</MenuLabel>
            {items(extra.choices, choices.length + 1)}
          </>
        )}
      </DropdownMenu.RadioGroup>
    </MenuWindow>
  )
}
