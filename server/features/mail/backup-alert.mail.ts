import { type RenderedMail, renderMail } from './mail-layout.ts'

interface BackupAlert {
  readonly kind: 'backup' | 'drill'
  /** Why it failed; null: it works again. */
  readonly problem: string | null
  readonly appUrl: string
}

const words = {
  backup: {
    failed: 'The scheduled backup failed',
    works: 'Scheduled backups work again',
    meaning: 'No new backup was made. The ones before are kept.',
    made: 'A backup was made and verified.',
  },
  drill: {
    failed: 'The restore drill failed',
    works: 'The restore drill succeeded again',
    meaning: 'The newest backup could not be restored into a scratch database. Do not rely on it.',
    made: 'The newest backup was restored into a scratch database, and all of it was compared.',
  },
} as const

/** Tells superadmins that backups, or drills of them, fail; once more when they work again. */
export function renderBackupAlert({ kind, problem, appUrl }: BackupAlert): RenderedMail {
  const { failed, works, meaning, made } = words[kind]
  const title = problem === null ? works : failed
  const { host } = new URL(appUrl)
  return renderMail({
    kind: 'backup_alert',
    subject: `${title} (${host})`,
    preview: problem ?? made,
    title,
    paragraphs: problem === null ? [made] : [meaning, problem],
    strong: [],
    action: { label: 'View the doctor', url: `${appUrl}/dashboard/superadmin/monitoring` },
    notes: [
      'You get this email because you are a superadmin of this instance. A failure is told once, and once more when it is over.',
    ],
    appUrl,
  })
}
