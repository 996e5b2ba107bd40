import type { LogLevelName } from '#contract/superadmin-logs.ts'
import { cn } from '#web/ui/class-names.ts'

const colors: Readonly<Record<LogLevelName, string>> = {
  trace: 'text-muted',
  debug: 'text-muted',
  info: 'text-info-text',
  warn: 'text-warning-text',
  error: 'text-danger-text',
  fatal: 'text-danger-text font-semibold',
}

export function LogLevel({ level, className }: { level: LogLevelName; className?: string }) {
  return <span className={cn('uppercase', colors[level], className)}>{level}</span>
}
