import { figureNames, formatFigure, monitoredFigures } from '#contract/monitored-figures.ts'
import { checkAreas } from '#contract/superadmin-doctor.ts'
import { checks } from '#server/features/doctor/checks.ts'

/** The guide to monitoring and doctor, with all figures and checks. */
export function printMonitoringGuide(): string {
  return `---
title: Monitoring and doctor
description: See whether an instance is healthy, get alerts by email, retry failed jobs, and check an instance from the command line.
section: Run Earshot
order: 14
---

# Monitoring and doctor

Superadmins open *Superadmin → Monitoring*. It shows the latest figures, open alerts, what the doctor found, charts of 14 days, the
processes, failed jobs, slow queries and thresholds.

## Figures and alerts

Each process measures itself once a minute. One of them measures the database, the queue and the emails for all. The figures are kept
for 14 days.

| Figure | Meaning | Alert by default |
|---|---|---|
${figureNames.map(printFigure).join('\n')}

A figure beyond its threshold for all these minutes raises an alert: every superadmin gets one email. When the figure is back
within its threshold for as many minutes, they get another. A restart repeats no email. Alerts need a worker and a mail server: let an
outside service ask \`/ready\` too.

To change a threshold, click *Edit*. The audit log of the instance records it.

Figures of single requests are for Prometheus: set \`METRICS=on\` and read \`/metrics\`.

## Failed jobs

A job that fails at its last attempt stays in the queue and is not run again. Read its error, remove the cause, then click *Retry*: the
job gets all its attempts again. *Delete* removes it permanently, and what it should do is not done.

## Slow queries

With the extension \`pg_stat_statements\`, the screen lists statements that take 100 ms or longer on average. Add it to
\`shared_preload_libraries\` of your PostgreSQL, restart it, and run \`create extension pg_stat_statements\`. Without it, the screen
lists queries that run for longer than a second at that moment.

## The doctor

The doctor makes ${checks.length} checks. Click *Check again* on the screen, or run this on the server:

\`\`\`bash
npm run doctor
\`\`\`

The command works while Earshot runs and while it is stopped. It starts the built-in database for the time of the checks, if that is
not running. Its exit code is 0 when all is fine, 1 for warnings, and 2 when something does not work. With \`npm run doctor -- --json\`
it prints the report as JSON. It reads the environment and the file \`.env\`, so run it as the user and in the folder of Earshot.

Some checks need a request, such as those of the proxy's headers: only the screen makes them.

${checkAreas.map(printArea).join('\n\n')}
`
}

function printFigure(name: (typeof figureNames)[number]): string {
  const { label, meaning, alertsWhen, limit, minutes, unit, isEnabled } = monitoredFigures[name]
  const time = minutes === 1 ? '1 minute' : `${minutes} minutes`
  return `| ${label} | ${meaning} | ${isEnabled ? `${alertsWhen} ${formatFigure(limit, unit)} for ${time}` : 'off'} |`
}

function printArea(area: (typeof checkAreas)[number]): string {
  const rows = checks.filter((check) => check.area === area)
  return `### ${area}

| Check | Name | What to do |
|---|---|---|
${rows.map(({ id, title, remedy }) => `| ${title} | \`${id}\` | ${remedy} |`).join('\n')}`
}
