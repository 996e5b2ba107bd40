import { chromiumFlags } from '../../e2e/chromium.ts'

/** For measuring: pages are drawn as people's browsers do, which the tests spare themselves. */
export const measuringFlags = chromiumFlags.filter((flag) => flag !== '--disable-gpu')
