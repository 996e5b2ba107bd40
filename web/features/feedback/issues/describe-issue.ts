import type { IssueMark } from '#contract/issue-mark.ts'

/** An issue in a few words: `acme/web#12, Closed`. */
export function describeIssue({ state, label, status }: IssueMark): string {
  if (state === 'creating') return label ?? 'waiting for the tracker'
  if (state === 'failed') return 'couldn’t be created'
  if (state === 'gone') return `${label ?? 'issue'}, no longer found`
  return [label, status].filter((part) => part !== null).join(', ')
}
