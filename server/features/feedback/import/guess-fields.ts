import type { ImportField, ImportMapping, ImportQuestion } from '#contract/imports.ts'

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

/**
 * What the names of a file's columns suggest; a file without a message gives its first column for one.
 *
 * @param questions the project's own. A column that is called as one is its answer, unless it is what our exports call
 * something else.
 */
export function suggestMapping(columns: readonly string[], questions: readonly ImportQuestion[]): ImportMapping {
  const plain = columns.map(toPlain)
  const ownNames = new Set(names.map(([, [name = '']]) => name))
  const found: ImportMapping['columns'] = []
  for (const { id, label } of questions) {
    const isFree = (at: number) => !ownNames.has(plain[at] ?? '') && !isFound(found, at)
    const column = [`${label} (${id})`, `fields.${id}`, label]
      .map((called) => columns.findIndex((name, at) => isSame(name, called) && isFree(at)))
      .find((at) => at !== -1)
    if (column !== undefined) found.push({ column, field: 'answer', question: id })
  }
  for (const [field, wanted] of names) {
    const free = (each: string) => plain.findIndex((own, at) => own === each && !isFound(found, at))
    const column = wanted.map(free).find((at) => at !== -1)
    if (column !== undefined) found.push({ column, field })
  }
  if (!found.some(({ field }) => field === 'message')) {
    const title = found.find(({ field }) => field === 'title')
    if (title) title.field = 'message'
    else {
      const free = columns.findIndex((_, at) => !isFound(found, at))
      found.push({ column: Math.max(free, 0), field: 'message' })
    }
  }
  return { columns: found.sort((a, b) => a.column - b.column), defaultType: 'other' }
}

function isFound(found: ImportMapping['columns'], at: number): boolean {
  return found.some(({ column }) => column === at)
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}

function toPlain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}
