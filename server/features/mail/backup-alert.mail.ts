import type { RenderedMail } from './mail-layout.ts'
import { openTemplate } from './templates/open-template.ts'
import { backupAlerts } from './templates/operation.templates.ts'

interface BackupAlert {
  readonly kind: 'backup' | 'drill'
  /** Why it failed; null: it works again. */
  readonly problem: string | null
  readonly appUrl: string
}

/** Tells superadmins that backups, or drills of them, fail; once more when they work again. */
export function renderBackupAlert({ kind, problem, appUrl }: BackupAlert): RenderedMail {
  const { failed, works } = backupAlerts[kind]
  const action = { url: `${appUrl}/dashboard/superadmin/monitoring` }
  return problem === null
    ? openTemplate(works, appUrl).render({ appUrl, action, values: {} })
    : openTemplate(failed, appUrl).render({ appUrl, action, values: { problem } })
}
