import type { ComponentProps, ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'

/** An action of the inbox's header: icon and word; where there is no room, the icon alone. */
export function HeaderButton({ icon, label, ...props }: ComponentProps<'button'> & { icon: ReactNode; label: string }) {
  return (
    <Button variant="ghost" size="sm" className="gap-1.5 px-2 text-muted" {...props}>
      {icon}
      <span className="max-xl:sr-only">{label}</span>
    </Button>
  )
}
