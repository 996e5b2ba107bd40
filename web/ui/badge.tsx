import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'

const styles = cva(
  'inline-flex items-center gap-1.5 whitespace-nowrap rounded-full px-2 font-medium text-xs leading-5 [&_svg]:size-3',
  {
    variants: {
      tone: {
        neutral: 'bg-sunken text-muted ring-1 ring-border ring-inset',
        accent: 'bg-accent-soft text-accent-text',
        success: 'bg-success-soft text-success-text',
        warning: 'bg-warning-soft text-warning-text',
        danger: 'bg-danger-soft text-danger-text',
        info: 'bg-info-soft text-info-text',
      },
    },
    defaultVariants: { tone: 'neutral' },
  },
)

export type BadgeTone = NonNullable<VariantProps<typeof styles>['tone']>

export function Badge({ tone, className, ...props }: ComponentProps<'span'> & { tone?: BadgeTone }) {
  return <span className={cn(styles({ tone }), className)} {...props} />
}
