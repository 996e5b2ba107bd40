import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/*
 * The recorder reads a style attribute's earlier value by setting it on an element of its own. A strict content
 * security policy counts that as an inline style and reports every animated element of a customer's page. Set through
 * the CSSOM, it has the same effect without a violation.
 */
const offending = 'old.setAttribute("style", m.oldValue)'
const harmless = 'old.style.cssText = m.oldValue'

/** Throws when a new version of the recorder no longer matches the patch. */
export const patchRecorder: Plugin = {
  name: 'patch-recorder',
  setup(builder) {
    builder.onLoad({ filter: /[\\/]@rrweb[\\/]record[\\/]dist[\\/]record\.js$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8')
      if (code.split(offending).length !== 2) throw new Error('patch-recorder: the code to patch was not found')
      return { contents: code.replace(offending, harmless) }
    })
  },
}
