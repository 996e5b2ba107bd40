import { cn } from './class-names.ts'
import { CopyButton } from './copy-button.tsx'

/** Code to take along: scrolls sideways instead of breaking lines, and copies as a whole. */
export function CodeBlock({ code, label, className }: { code: string; label: string; className?: string }) {
  return (
    <div className={cn('flex items-start overflow-hidden rounded-md border border-border bg-sunken', className)}>
      {/* Reachable by keyboard, because it may need scrolling. */}
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be operable without a mouse
        tabIndex={0}
        className="min-w-0 flex-1 overflow-x-auto focus-visible:outline-offset-[-2px]"
      >
        <pre className="w-max min-w-full p-3 font-mono text-foreground text-sm leading-5">
          <code>{code}</code>
        </pre>
      </section>
      <CopyButton text={code} className="m-1.5 shrink-0" />
    </div>
  )
}
