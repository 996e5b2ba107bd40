import { renderBackupAlert } from '../../backup-alert.mail.ts'
import { renderContactMessage } from '../../contact-message.mail.ts'
import { renderMonitoringAlert } from '../../monitoring-alert.mail.ts'
import type { Sample } from './sample.ts'

const problem = 'The disk is full (ENOSPC).'
const delay = { figure: 'delay_ms', value: 900, limit: 500, minutes: 5 } as const
const disk = { figure: 'disk_free_percent', value: 4, limit: 10, minutes: 5 } as const
const cpu = { figure: 'cpu_percent', value: 40, limit: 95, minutes: 1 } as const

export const operationSamples = {
  'backup_alert.backup_failed': [
    { label: 'Failed backup', render: (appUrl) => renderBackupAlert({ kind: 'backup', problem, appUrl }) },
  ],
  'backup_alert.backup_works': [
    { label: 'Backups work', render: (appUrl) => renderBackupAlert({ kind: 'backup', problem: null, appUrl }) },
  ],
  'backup_alert.drill_failed': [
    { label: 'Failed drill', render: (appUrl) => renderBackupAlert({ kind: 'drill', problem, appUrl }) },
  ],
  'backup_alert.drill_works': [
    { label: 'Drills work', render: (appUrl) => renderBackupAlert({ kind: 'drill', problem: null, appUrl }) },
  ],
  'monitoring_alert.crossed': [
    {
      label: 'One figure',
      render: (appUrl) => renderMonitoringAlert({ crossed: [delay], recovered: [], appUrl }),
    },
    {
      label: 'Several figures',
      render: (appUrl) =>
        renderMonitoringAlert({ crossed: [delay, disk], recovered: [cpu, { ...disk, value: 20 }], appUrl }),
    },
  ],
  'monitoring_alert.recovered': [
    {
      label: 'One figure',
      render: (appUrl) => renderMonitoringAlert({ crossed: [], recovered: [cpu], appUrl }),
    },
    {
      label: 'Several figures',
      render: (appUrl) => renderMonitoringAlert({ crossed: [], recovered: [cpu, { ...disk, value: 20 }], appUrl }),
    },
  ],
  contact_message: [
    {
      label: 'Message',
      render: (appUrl) =>
        renderContactMessage({
          ...{ appUrl, topic: 'plans', name: 'Grace Hopper', email: 'grace@example.com' },
          message: 'Do you offer\nan annual invoice?',
        }),
    },
  ],
} satisfies Record<string, readonly Sample[]>
