import { cva, type VariantProps } from 'class-variance-authority'
import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'
import { Spinner } from './spinner.tsx'

const buttonStyles = cva(
  [
    'inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-md font-medium',
    'transition-colors duration-100 disabled:pointer-events-none disabled:opacity-55',
    '[&_svg]:shrink-0 [&_svg:not([class*=size-])]:size-4',
  ],
  {
    variants: {
      variant: {
        primary: 'bg-accent text-on-accent shadow-sm hover:bg-accent-hover',
        secondary: 'border border-border bg-surface text-foreground shadow-sm hover:bg-sunken',
        ghost: 'text-foreground hover:bg-hover',
        danger: 'bg-danger text-on-danger shadow-sm hover:opacity-90',
        link: 'h-auto rounded-sm px-0 pointer-coarse:h-auto pointer-coarse:min-h-10 text-accent-text underline-offset-4 hover:underline',
      },
      size: {
        // A finger needs 40 px.
        sm: 'h-8 px-3 text-sm pointer-coarse:h-10',
        md: 'h-9 px-4 text-base pointer-coarse:h-10',
        lg: 'h-11 px-5 text-lg',
        icon: 'size-9 pointer-coarse:size-10',
        'icon-sm': 'size-8 pointer-coarse:size-10',
      },
    },
    compoundVariants: [{ variant: 'link', className: 'h-auto px-0 pointer-coarse:h-auto' }],
    defaultVariants: { variant: 'primary', size: 'md' },
  },
)

export interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonStyles> {
  /** Gives the looks to the only child, e.g. a link. */
  asChild?: boolean
  /** Shows a spinner, keeps the width and ignores presses. */
  loading?: boolean
}

export function Button({
  variant,
  size,
  asChild = false,
  loading = false,
  className,
  type = 'button',
  disabled,
  children,
  ...props
}: ButtonProps) {
  const styles = cn(buttonStyles({ variant, size }), className)
  if (asChild) {
    return (
      <Slot.Root className={styles} {...props}>
        {children}
      </Slot.Root>
    )
  }
  return (
    <button
      type={type}
      className={cn(styles, loading && 'relative')}
      disabled={disabled === true || loading}
      aria-busy={loading || undefined}
      {...props}
    >
      {loading && (
        <span className="absolute inset-0 flex items-center justify-center">
          <Spinner />
        </span>
      )}
      <span className={cn('contents', loading && 'invisible')}>{children}</span>
    </button>
  )
}
