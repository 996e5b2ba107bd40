/** How the app writes numbers, dates and times: as its words, in British English, whatever the browser prefers. */
export const locale = 'en-GB'
