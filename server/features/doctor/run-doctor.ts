import { setTimeout as pause } from 'node:timers/promises'
import type { DoctorReport, Finding } from '#contract/superadmin-doctor.ts'
import { readErrorMessage } from '#server/platform/read-error.ts'
import { scrubText } from '#server/platform/scrub/scrub-text.ts'
import { type Check, type Examined, failed, notApplicable, type Verdict } from './check.ts'
import { checks } from './checks.ts'

/** A check that takes longer has failed: what it asks does not answer. */
const checkTimeoutMs = 15_000

/** Runs all checks side by side. One that throws has failed. */
export async function runDoctor(examined: Examined): Promise<DoctorReport> {
  const findings = await Promise.all(checks.map((check) => runCheck(check, examined)))
  return { checkedAt: new Date(examined.machine.now()).toISOString(), findings }
}

/** Runs one check. */
export async function runCheck(check: Check, examined: Examined): Promise<Finding> {
  const { id, area, title, remedy } = check
  const clock = new AbortController()
  const verdict = await Promise.race([
    judge(check, examined),
    pause(checkTimeoutMs, failed(`The check took longer than ${checkTimeoutMs / 1000} s.`), { signal: clock.signal }),
  ]).finally(() => clock.abort())
  const isFine = verdict.status === 'ok' || verdict.status === 'not_applicable'
  return { id, area, title, status: verdict.status, sentence: verdict.sentence, remedy: isFine ? null : remedy }
}

async function judge(check: Check, examined: Examined): Promise<Verdict> {
  try {
    if (!check.needsDatabase) return await check.run(examined)
    const { database } = examined
    if (!database) return notApplicable('Not checked, because the database can’t be reached.')
    return await check.run({ ...examined, database })
  } catch (error) {
    return failed(`The check could not be made: ${scrubText(readErrorMessage(error))}.`)
  }
}
