import type { NodeDescription, WebhookContext, WebhookResult } from './n8n.ts'
import { isSigned } from './verify-signature.ts'

/** Their names at Earshot; a test compares them with those that it delivers. */
const events = {
  'feedback.created': 'New feedback',
  'feedback.imported': 'Imported feedback',
  'feedback.status_changed': 'Status changed',
  'feedback.updated': 'Feedback updated',
  'feedback.assigned': 'Feedback assigned',
  'feedback.commented': 'Internal note',
  'feedback.replied': 'Reply to the visitor',
  'feedback.answered': 'Answer of the visitor',
  'feedback.files_changed': 'Files changed',
  'feedback.deleted': 'Feedback deleted',
}

/** Starts a workflow with each event that a webhook of Earshot delivers. */
export class EarshotTrigger {
  readonly description: NodeDescription = {
    displayName: 'Earshot Trigger',
    name: 'earshotTrigger',
    icon: 'file:earshot.svg',
    group: ['trigger'],
    version: 1,
    description: 'Starts the workflow when feedback arrives or changes in Earshot',
    defaults: { name: 'Earshot Trigger' },
    inputs: [],
    outputs: ['main'],
    credentials: [{ name: 'earshotSigningApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        default: [],
        description: 'Which events start the workflow. Empty: all that Earshot delivers, tests included.',
        hint: 'Enter the URL of this node in Earshot under Integrations → Webhook.',
        options: Object.entries(events).map(([value, name]) => ({ name, value })),
      },
    ],
  }

  /** Called by n8n with each request to the node's URL. */
  async webhook(this: WebhookContext): Promise<WebhookResult> {
    const request = this.getRequestObject()
    // Newer versions of n8n read it when asked to.
    if (!request.rawBody) await request.readRawBody?.()
    const { rawBody = new Uint8Array() } = request
    const { secret } = await this.getCredentials('earshotSigningApi')
    if (typeof secret !== 'string' || !isSigned(secret, this.getHeaderData(), rawBody)) {
      this.getResponseObject().status(401).send('The signature is missing or wrong.').end()
      return { noWebhookResponse: true }
    }
    // Earshot's signed body: an object with a type.
    const event = JSON.parse(Buffer.from(rawBody).toString()) as { readonly type: string }
    // A field of several options.
    const selected = this.getNodeParameter('events', []) as readonly string[]
    return selected.length === 0 || selected.includes(event.type) ? { workflowData: [[{ json: event }]] } : {}
  }
}
