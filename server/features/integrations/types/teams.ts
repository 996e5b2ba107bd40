import Type from 'typebox'
import type { OutboundAnswer } from '#server/platform/outbound/outbound.ts'
import { defineIntegration } from '../define-integration.ts'
import type { DeliveryContent } from '../delivery/read-content.ts'
import { type DeliveryFailure, findFailure, type KnownFailures } from '../delivery-failure.ts'
import { describeItem } from '../describe-item.ts'
import { fitText } from '../fit-text.ts'

/** Posts to a channel or chat by a workflow: https://learn.microsoft.com/power-automate/teams/create-flows-in-teams */
export const teams = defineIntegration({
  type: 'teams',
  name: 'Microsoft Teams',
  category: 'chat',
  summary: 'Posts new feedback to a channel or chat by a workflow, with a link to the item.',
  guide: 'teams',
  settings: Type.Object({
    url: Type.String({
      title: 'Workflow URL',
      description: 'In Teams, add the workflow “Send webhook alerts to a channel” and copy its URL.',
      examples: ['https://default000.environment.api.powerplatform.com/powerautomate/…'],
      format: 'uri',
      maxLength: 2000,
      secret: true,
    }),
  }),
  defaultEvents: ['feedback.created', 'feedback.status_changed', 'feedback.answered'],

  checkSettings: ({ url }) =>
    /(^|\.)(webhook\.office\.com|outlook\.office(365)?\.com)$/i.test(URL.parse(url)?.hostname ?? '')
      ? {
          url: 'Microsoft ended Office connectors. In Teams, add the workflow “Send webhook alerts to a channel” and enter its URL.',
        }
      : undefined,

  deliver: async (content, { url }, { send }) => {
    await send(url, { json: writeMessage(content), judge })
  },
})

// Teams refuses a message of more than 28 kB. In UTF-8, these make at most 23 kB.
const maxLengths = { text: 2500, value: 150, error: 200, url: 2000 }
const most = { paragraphs: 20, facts: 8, errors: 3 }

function writeMessage(content: DeliveryContent) {
  const { title, sentence, text, facts, consoleErrors, url, pictureUrl } = describeItem(content)
  const body = [
    paragraph([run(title, { weight: 'Bolder', size: 'Medium' })]),
    paragraph([run(sentence, { isSubtle: true })]),
    ...splitText(fitText(text, maxLengths.text)).map((part) => paragraph([run(part)])),
    ...facts
      .slice(0, most.facts)
      .map(({ label, value }) =>
        paragraph([run(`${label}: `, { weight: 'Bolder' }), run(fitText(value, maxLengths.value))]),
      ),
    ...consoleErrors
      .slice(-most.errors)
      .map((error) => paragraph([run(fitText(error, maxLengths.error), { fontType: 'Monospace' })])),
    ...(pictureUrl !== null && pictureUrl.length <= maxLengths.url
      ? [{ type: 'Image', url: pictureUrl, altText: 'Screenshot' }]
      : []),
  ]
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    // Workflows do not show cards of version 1.5, although Teams itself does.
    version: '1.4',
    body,
    actions: url === null ? [] : [{ type: 'Action.OpenUrl', title: 'Open in Earshot', url }],
    msteams: { width: 'Full' },
  }
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }
  return { type: 'message', attachments: [attachment] }
}

/** Runs show their text as it is; a TextBlock would read Markdown in it. */
const paragraph = (inlines: readonly object[]) => ({ type: 'RichTextBlock', inlines })

/** `{{DATE(…)}}` is read in runs, too. A word joiner between the braces prevents it. */
function run(text: string, look: Readonly<Record<string, string | boolean>> = {}) {
  return { type: 'TextRun', text: text.replaceAll(/\{(?=\{)/g, '{\u2060'), ...look }
}

function splitText(text: string): string[] {
  const lines = text.split(/\n+/).filter((line) => line.trim() !== '')
  return lines.length <= most.paragraphs
    ? lines
    : [...lines.slice(0, most.paragraphs - 1), lines.slice(most.paragraphs - 1).join(' ')]
}

const failures: KnownFailures = {
  WorkflowNotFound: ['gone', 'The workflow no longer exists. Add a new one in Teams and enter its URL.'],
  WorkflowTriggerIsNotEnabled: ['retry', 'The workflow is turned off. Turn it on in Teams or Power Automate.'],
  DirectApiAuthorizationRequired: ['gone', 'Teams refused the workflow URL. Copy it from the workflow again.'],
  AuthorizationFailed: ['gone', 'Teams refused the workflow URL. Copy it from the workflow again.'],
  OAuthAuthorizationRequired: [
    'retry',
    'The workflow asks for a sign-in. Allow anyone to trigger it, in its first step.',
  ],
}

/** Power Automate answers 202, or an error with a code. */
function judge({ status, body }: OutboundAnswer): DeliveryFailure | undefined {
  if (status < 400) return undefined
  const [, code = ''] = /"code"\s*:\s*"(\w+)"/.exec(body.toString('utf8')) ?? []
  return findFailure(failures, code)
}
