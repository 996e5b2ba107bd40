import type { ImportField, ImportMapping } from '#contract/imports.ts'

/**
 * What columns are called in our own exports and in those of others (Canny, Userback, Usersnap, BugHerd, Hotjar, UserVoice,
 * Nolt …), without signs and in small letters. The first name of a field that a file has is taken.
 */
const names: readonly (readonly [ImportField, readonly string[]])[] = [
  ['title', ['title', 'posttitle', 'subject', 'summary', 'headline', 'taskname', 'name']],
  [
    'message',
    [
      'message',
      'details',
      'description',
      'feedback',
      'comment',
      'body',
      'text',
      'content',
      'note',
      'postdetails',
      'idea',
    ],
  ],
  ['type', ['type', 'category', 'board', 'feedbacktype', 'itemtype', 'kind', 'boardname']],
  ['status', ['status', 'state', 'column', 'workflow', 'workflowstage', 'stage', 'poststatus']],
  ['closedReason', ['closedreason', 'resolution']],
  ['priority', ['priority', 'severity', 'importance', 'urgency']],
  ['rating', ['rating', 'stars', 'score', 'csat', 'satisfaction']],
  ['nps', ['nps', 'npsscore']],
  ['tags', ['tags', 'labels', 'tag', 'label', 'tagnames']],
  [
    'visitorName',
    [
      'visitorname',
      'authorname',
      'username',
      'reportername',
      'requestername',
      'requester',
      'reporter',
      'author',
      'fullname',
      'customername',
      'submittedby',
      'createdby',
      'creator',
    ],
  ],
  [
    'visitorEmail',
    [
      'visitoremail',
      'authoremail',
      'useremail',
      'reporteremail',
      'requesteremail',
      'email',
      'emailaddress',
      'customeremail',
      'visitor',
      'creatoremail',
    ],
  ],
  ['visitorId', ['visitorid', 'userid', 'customerid', 'authorid', 'externalid']],
  ['pageUrl', ['pageurl', 'url', 'page', 'pagelink', 'siteurl', 'website', 'sourceurl', 'location', 'screenurl']],
  ['pageTitle', ['pagetitle', 'documenttitle']],
  [
    'createdAt',
    [
      'createdat',
      'created',
      'date',
      'createddate',
      'creationdate',
      'datecreated',
      'createdon',
      'submittedat',
      'timestamp',
      'time',
      'postcreated',
      'datesubmitted',
    ],
  ],
  ['resolvedAt', ['resolvedat', 'closedat', 'completedat', 'resolved', 'dateresolved']],
]

/** What the names of a file's columns suggest; a file without a message gives its first column for one. */
export function suggestMapping(columns: readonly string[]): ImportMapping {
  const plain = columns.map((name) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''))
  const found: ImportMapping['columns'] = []
  for (const [field, wanted] of names) {
    const name = wanted.find((each) =>
      plain.some((own, at) => own === each && !found.some(({ column }) => column === at)),
    )
    const column = name === undefined ? -1 : plain.indexOf(name)
    if (column !== -1 && !found.some((each) => each.column === column)) found.push({ column, field })
  }
  if (!found.some(({ field }) => field === 'message')) {
    const title = found.find(({ field }) => field === 'title')
    if (title) title.field = 'message'
    else {
      const free = columns.findIndex((_, at) => !found.some(({ column }) => column === at))
      found.push({ column: Math.max(free, 0), field: 'message' })
    }
  }
  return { columns: found.sort((a, b) => a.column - b.column), defaultType: 'other' }
}
