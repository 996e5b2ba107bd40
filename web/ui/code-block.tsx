import { cn } from './class-names.ts'
import { CopyButton } from './copy-button.tsx'

/** Code to copy as a whole. Long lines wrap, so that all of it is in view. */
export function CodeBlock({ code, label, className }: { code: string; label: string; className?: string }) {
  return (
    <div className={cn('flex items-start rounded-md border border-border bg-sunken', className)}>
      <section aria-label={label} className="min-w-0 flex-1">
        <pre className="whitespace-pre-wrap p-3 font-mono text-foreground text-sm leading-5 [overflow-wrap:anywhere] [tab-size:2]">
          <code>{code}</code>
        </pre>
      </section>
      <CopyButton text={code} className="m-1.5 shrink-0" />
    </div>
  )
}
