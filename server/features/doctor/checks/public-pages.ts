import { readFile } from 'node:fs/promises'
import { readErrorCode } from '#server/platform/read-error.ts'
import { type Check, failed, notApplicable, ok, warning } from '../check.ts'

export const publicPageChecks: readonly Check[] = [
  {
    id: 'legal-texts',
    area: 'Public pages',
    title: 'Privacy policy and terms',
    remedy: 'Write your own texts, and set PRIVACY_FILE and TERMS_FILE to them.',
    run: async ({ config: { production, site } }) => {
      const { privacy, terms } = site.legalFiles
      for (const path of [privacy, terms]) {
        if (path === null) continue
        const problem = await readFile(path).then(
          () => undefined,
          (error: unknown) => readErrorCode(error) ?? 'it failed',
        )
        if (problem !== undefined) return failed(`${path} can’t be read: ${problem}.`)
      }
      if (privacy !== null && terms !== null) return ok('Both pages show your own texts.')
      return production ? warning('A page shows the template.') : notApplicable('This is no public server.')
    },
  },
  {
    id: 'operator',
    area: 'Public pages',
    title: 'Name of the operator',
    remedy: 'Set OPERATOR_NAME and OPERATOR_ADDRESS.',
    run: ({ config: { production, site } }) => {
      if (site.operator.name !== null && site.operator.address !== null) return ok('The pages name the operator.')
      return production
        ? warning('The public pages don’t say who runs this instance.')
        : notApplicable('This is no public server.')
    },
  },
]
