/** Name of the deliveries that keep an item and its issue alike. */
export const issueSync = 'issue.sync'
