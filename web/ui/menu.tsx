import { Check } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'
import { useMain } from './main-region.tsx'

export const Menu = Radix.Root
export const MenuTrigger = Radix.Trigger
export const MenuRadioGroup = Radix.RadioGroup

const itemStyles = cn(
  'flex h-8 cursor-default select-none items-center gap-2 rounded-sm px-2 text-base text-foreground outline-none',
  'data-[highlighted]:bg-hover data-[disabled]:opacity-50 [&_svg]:size-4 [&_svg]:text-muted pointer-coarse:h-10',
)

interface MenuContentProps extends ComponentProps<typeof Radix.Content> {
  /** Where it is put into the page. Default: the main part, if it stands in it. */
  container?: HTMLElement | null
}

export function MenuContent({ container, className, sideOffset = 6, ...props }: MenuContentProps) {
  const main = useMain()
  return (
    <Radix.Portal container={container ?? main}>
      <Radix.Content
        sideOffset={sideOffset}
        collisionPadding={8}
        className={cn(
          'animate-pop z-50 min-w-48 rounded-lg border border-border bg-raised p-1 text-foreground shadow-lg',
          className,
        )}
        {...props}
      />
    </Radix.Portal>
  )
}

export function MenuItem({ className, ...props }: ComponentProps<typeof Radix.Item>) {
  return <Radix.Item className={cn(itemStyles, className)} {...props} />
}

export function MenuRadioItem({ className, children, ...props }: ComponentProps<typeof Radix.RadioItem>) {
  return (
    <Radix.RadioItem className={cn(itemStyles, 'pr-8', className)} {...props}>
      {children}
      <Radix.ItemIndicator className="-mr-6 ml-auto">
        <Check aria-hidden="true" />
      </Radix.ItemIndicator>
    </Radix.RadioItem>
  )
}

export function MenuLabel({ className, ...props }: ComponentProps<typeof Radix.Label>) {
  return <Radix.Label className={cn('px-2 py-1.5 text-muted text-sm', className)} {...props} />
}

export function MenuSeparator({ className, ...props }: ComponentProps<typeof Radix.Separator>) {
  return <Radix.Separator className={cn('-mx-1 my-1 h-px bg-border', className)} {...props} />
}
