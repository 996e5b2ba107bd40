import type { NodeField } from './n8n.ts'

/* The form of the node. Values are those of Earshot's API. */

const toOptions = (values: readonly string[]) =>
  values.map((value) => ({ name: (value.charAt(0).toUpperCase() + value.slice(1)).replaceAll('_', ' '), value }))

const statuses = toOptions(['new', 'open', 'in_progress', 'resolved', 'closed'])
const priorities = toOptions(['none', 'low', 'medium', 'high', 'urgent'])
const types = toOptions(['bug', 'idea', 'question', 'praise', 'other'])

const showFor = (...operations: readonly string[]) => ({ displayOptions: { show: { operation: operations } } })

const status: NodeField = {
  displayName: 'Status',
  name: 'status',
  type: 'options',
  default: 'open',
  options: statuses,
}

const listFields: readonly NodeField[] = [
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 50,
    description: 'Max number of results to return',
    ...showFor('getAll'),
  },
  {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    default: {},
    placeholder: 'Add Filter',
    options: [
      { displayName: 'Search', name: 'q', type: 'string', default: '', description: 'Words that the item contains' },
      { displayName: 'Status', name: 'status', type: 'multiOptions', default: [], options: statuses },
      { displayName: 'Priority', name: 'priority', type: 'multiOptions', default: [], options: priorities },
      { displayName: 'Type', name: 'type', type: 'multiOptions', default: [], options: types },
      { displayName: 'Tags', name: 'tag', type: 'string', default: '', description: 'Separated by commas' },
    ],
    ...showFor('getAll'),
  },
]

const updateFields: NodeField = {
  displayName: 'Changes',
  name: 'changes',
  type: 'collection',
  default: {},
  placeholder: 'Add Field',
  options: [
    status,
    {
      displayName: 'Closed Reason',
      name: 'closedReason',
      type: 'options',
      default: 'wont_fix',
      options: toOptions(['wont_fix', 'duplicate', 'not_reproducible']),
      description: 'Only with the status Closed',
    },
    { displayName: 'Priority', name: 'priority', type: 'options', default: 'none', options: priorities },
    { displayName: 'Type', name: 'type', type: 'options', default: 'bug', options: types },
    { displayName: 'Tags', name: 'tags', type: 'string', default: '', description: 'All tags, separated by commas' },
    { displayName: 'Archived', name: 'archived', type: 'boolean', default: false },
  ],
  ...showFor('update'),
}

const commentFields: readonly NodeField[] = [
  {
    displayName: 'Kind',
    name: 'kind',
    type: 'options',
    default: 'note',
    options: [
      { name: 'Internal Note', value: 'note', description: 'For the team' },
      { name: 'Reply', value: 'reply', description: 'Emailed to the visitor' },
    ],
    ...showFor('comment'),
  },
  {
    displayName: 'Text',
    name: 'text',
    type: 'string',
    typeOptions: { rows: 4 },
    default: '',
    required: true,
    ...showFor('comment'),
  },
]

export const nodeFields: readonly NodeField[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    default: 'getAll',
    options: [
      { name: 'Add a Comment', value: 'comment', action: 'Add a comment to an item' },
      { name: 'Get', value: 'get', action: 'Get an item' },
      { name: 'Get Many', value: 'getAll', action: 'Get many items' },
      { name: 'Update', value: 'update', action: 'Update an item' },
    ],
  },
  {
    displayName: 'Item ID',
    name: 'feedbackId',
    type: 'string',
    default: '',
    required: true,
    description: 'In events: data.feedbackId',
    ...showFor('get', 'update', 'comment'),
  },
  ...listFields,
  updateFields,
  ...commentFields,
]
