import { type ReactNode, useId } from 'react'
import { cn } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** One section of the settings: heading on the left, form on the right; stacked on a phone. */
export function SettingsSection({
  title,
  description,
  children,
}: {
  title: string
  description: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid gap-x-10 gap-y-4 py-8 first:pt-0 lg:grid-cols-[15rem_1fr]">
      <div className="flex flex-col gap-1">
        <h2 id={id} className="font-semibold text-lg">
          {title}
        </h2>
        <div className="max-w-prose text-base text-muted">{description}</div>
      </div>
      <div className="min-w-0 rounded-lg border border-border bg-surface shadow-sm">{children}</div>
    </section>
  )
}

/** A form with its button in a bar below. */
export function SettingsForm({
  onSubmit,
  actions,
  children,
}: {
  onSubmit: () => void
  actions: ReactNode
  children: ReactNode
}) {
  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <div className="flex flex-col gap-4 p-5">{children}</div>
      <SettingsBar>{actions}</SettingsBar>
    </form>
  )
}

/** The bar with a section’s buttons. */
export function SettingsBar({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div className={cn('flex flex-wrap items-center justify-end gap-3 border-border border-t px-5 py-3', className)}>
      {children}
    </div>
  )
}

/** Skeleton of a form that is loading, with the same number of fields, one of them with a hint. */
export function FormSkeleton({ fieldCount }: { fieldCount: number }) {
  return (
    <>
      <div className="flex flex-col gap-4 p-5">
        {Array.from({ length: fieldCount }, (_, index) => index).map((index) => (
          <div key={index} className="flex flex-col gap-1.5">
            <Skeleton className="h-5 w-32" />
            <Skeleton className="h-9" />
            {index === 0 && <Skeleton className="h-5 w-48" />}
          </div>
        ))}
      </div>
      <SettingsBar>
        <Skeleton className="h-9 w-36" />
      </SettingsBar>
    </>
  )
}
