import { chromiumFlags } from '../../e2e/chromium.ts'

/** For measurements: pages are painted as in real browsers, unlike in the tests. */
export const measuringFlags = chromiumFlags.filter((flag) => flag !== '--disable-gpu')
