import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'

/** A small act on one row of a list. */
export function RowButton({
  label,
  disabled = false,
  onPress,
  children,
}: {
  label: string
  disabled?: boolean
  onPress: () => void
  children: ReactNode
}) {
  return (
    <Button variant="ghost" size="icon-sm" aria-label={label} title={label} disabled={disabled} onClick={onPress}>
      {children}
    </Button>
  )
}
