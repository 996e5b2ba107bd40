import type { CheckArea, FindingStatus } from '#contract/superadmin-doctor.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import type { Machine } from './machine.ts'

/** What a check found. */
export interface Verdict {
  readonly status: FindingStatus
  readonly sentence: string
}

export const ok = (sentence: string): Verdict => ({ status: 'ok', sentence })
export const warning = (sentence: string): Verdict => ({ status: 'warning', sentence })
export const failed = (sentence: string): Verdict => ({ status: 'failed', sentence })
export const notApplicable = (sentence: string): Verdict => ({ status: 'not_applicable', sentence })

/** A request as the server received it, by which proxies are judged. */
export interface SeenRequest {
  readonly host: string
  /** As TRUST_PROXY makes it. */
  readonly protocol: string
  /** Of the visitor, as TRUST_PROXY makes it. */
  readonly ip: string
  /** Of the connection. */
  readonly remoteAddress: string
  /** The header X-Forwarded-For; null: there was none. */
  readonly forwardedFor: string | null
}

/** What the checks look at. */
export interface Examined {
  readonly config: Config
  readonly storage: Storage
  readonly machine: Machine
  /** Null: it can't be reached, or its tables are missing. */
  readonly database: Database | null
  /** For DATABASE_REPLICA_URL; null: there is none. */
  readonly replica: Database | null
  /** Why it can't be reached. */
  readonly databaseProblem: string | null
  /** Null: on the command line. */
  readonly seen: SeenRequest | null
  /** The file with settings; it may be missing. */
  readonly envFile: string
}

/** An {@link Examined} whose database was reached. */
export type ExaminedWithDatabase = Examined & { readonly database: Database }

interface AnyCheck {
  /** As the guide and `npm run doctor --json` name it. Never changed. */
  readonly id: string
  readonly area: CheckArea
  /** A noun phrase: what is checked. */
  readonly title: string
  /** What to do when it is not fine. */
  readonly remedy: string
}

/** A question about the instance. It may throw: then it counts as failed, with the error's message. */
export type Check = AnyCheck &
  (
    | { readonly needsDatabase?: false; run(examined: Examined): Promise<Verdict> | Verdict }
    | { readonly needsDatabase: true; run(examined: ExaminedWithDatabase): Promise<Verdict> | Verdict }
  )

/** Whether Earshot itself started what the setting names: the built-in database, the mail catcher, a stand-in. */
export function isGenerated({ shownSettings }: Config, name: string): boolean {
  const source = shownSettings.find((setting) => setting.name === name)?.source
  return source === 'generated' || source === 'default'
}
