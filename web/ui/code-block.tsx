import { cn } from './class-names.ts'
import { CopyButton } from './copy-button.tsx'

/** Code to take along: scrolls sideways instead of breaking lines, and copies as a whole. */
export function CodeBlock({ code, label, className }: { code: string; label: string; className?: string }) {
  return (
    <div className={cn('relative overflow-hidden rounded-md border border-border bg-sunken', className)}>
      {/* Reachable by keyboard, because it may need scrolling. */}
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be operable without a mouse
        tabIndex={0}
        className="overflow-x-auto focus-visible:outline-offset-[-2px]"
      >
        <pre className="w-max min-w-full p-3 pr-24 font-mono text-foreground text-sm leading-5">
          <code>{code}</code>
        </pre>
      </section>
      <CopyButton text={code} className="absolute top-2 right-2" />
    </div>
  )
}
