import { Check } from 'lucide-react'
import { type DropdownMenu as Radix, Slot } from 'radix-ui'
import { type ComponentProps, createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { Attached } from './attached.tsx'
import { cn } from './class-names.ts'
import { makeMenuTrigger } from './early-triggers.ts'
import { getOverlays, useOverlays } from './late-overlays.ts'
import { useMain } from './main-region.tsx'

interface MenuState {
  isOpen: boolean
  setOpen: (open: boolean) => void
  /** The trigger. */
  element: HTMLElement | null
  setElement: (element: HTMLElement | null) => void
}

const MenuContext = createContext<MenuState | undefined>(undefined)

function useMenu(): MenuState {
  const menu = useContext(MenuContext)
  if (!menu) throw new Error('A part of a menu is used outside of it')
  return menu
}

/** A menu: its trigger, and its content, which is loaded late. */
export function Menu({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const [element, setElement] = useState<HTMLElement | null>(null)
  const menu = useMemo(() => ({ isOpen, setOpen, element, setElement }), [isOpen, element])
  return <MenuContext value={menu}>{children}</MenuContext>
}

/** @param asChild the only child is the trigger, e.g. a button of ours */
export function MenuTrigger({ asChild = false, ...props }: ComponentProps<'button'> & { asChild?: boolean }) {
  const { setOpen, setElement } = useMenu()
  const trigger = makeMenuTrigger(() => setOpen(true))
  if (asChild) return <Slot.Root ref={setElement} {...trigger} {...props} />
  return <button type="button" ref={setElement} {...trigger} {...props} />
}

export function MenuRadioGroup(props: ComponentProps<typeof Radix.RadioGroup>) {
  const { DropdownMenu } = getOverlays()
  return <DropdownMenu.RadioGroup {...props} />
}

const itemStyles = cn(
  'flex h-8 cursor-default select-none items-center gap-2 rounded-sm px-2 text-base text-foreground outline-none',
  'data-[highlighted]:bg-hover data-[disabled]:opacity-50 [&_svg]:size-4 [&_svg]:text-muted pointer-coarse:h-10',
)

interface MenuContentProps extends ComponentProps<typeof Radix.Content> {
  /** Where it is put into the page. Default: the main part, if it stands in it. */
  container?: HTMLElement | null
}

export function MenuContent(props: MenuContentProps) {
  const { isOpen, setOpen, element } = useMenu()
  const overlays = useOverlays(isOpen)
  if (!overlays || !element) return null
  const { DropdownMenu } = overlays
  return (
    <DropdownMenu.Root open={isOpen} onOpenChange={setOpen} modal={false}>
      <DropdownMenu.Trigger asChild>
        <Attached element={element} />
      </DropdownMenu.Trigger>
      <MenuWindow {...props} />
    </DropdownMenu.Root>
  )
}

/** The window of a menu, within the root of Radix. */
export function MenuWindow({ container, className, sideOffset = 6, ...props }: MenuContentProps) {
  const main = useMain()
  const { DropdownMenu } = getOverlays()
  return (
    <DropdownMenu.Portal container={container ?? main}>
      <DropdownMenu.Content
        sideOffset={sideOffset}
        collisionPadding={8}
        className={cn(
          'animate-pop z-50 min-w-48 rounded-lg border border-border bg-raised p-1 text-foreground shadow-lg',
          className,
        )}
        {...props}
      />
    </DropdownMenu.Portal>
  )
}

export function MenuItem({ className, ...props }: ComponentProps<typeof Radix.Item>) {
  const { DropdownMenu } = getOverlays()
  return <DropdownMenu.Item className={cn(itemStyles, className)} {...props} />
}

export function MenuRadioItem({ className, children, ...props }: ComponentProps<typeof Radix.RadioItem>) {
  const { DropdownMenu } = getOverlays()
  return (
    <DropdownMenu.RadioItem className={cn(itemStyles, 'pr-8', className)} {...props}>
      {children}
      <DropdownMenu.ItemIndicator className="-mr-6 ml-auto">
        <Check aria-hidden="true" />
      </DropdownMenu.ItemIndicator>
    </DropdownMenu.RadioItem>
  )
}

export function MenuLabel({ className, ...props }: ComponentProps<typeof Radix.Label>) {
  const { DropdownMenu } = getOverlays()
  return <DropdownMenu.Label className={cn('px-2 py-1.5 text-muted text-sm', className)} {...props} />
}

export function MenuSeparator({ className, ...props }: ComponentProps<typeof Radix.Separator>) {
  const { DropdownMenu } = getOverlays()
  return <DropdownMenu.Separator className={cn('-mx-1 my-1 h-px bg-border', className)} {...props} />
}
