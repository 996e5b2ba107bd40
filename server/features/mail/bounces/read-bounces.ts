import { isEmailAddress } from '#server/platform/mail/address.ts'

/** A report of a mail provider that an email came back, or that its reader reported it as spam. */
export interface Bounce {
  readonly email: string
  /** `soft`: for now only, such as a full mailbox. */
  readonly kind: 'hard' | 'soft' | 'complaint'
  /** As the provider says it; empty: it says none. */
  readonly reason: string
  /** The Message-ID of the email; null: unknown. */
  readonly messageId: string | null
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads the plain format, and those of Postmark, Amazon SES (with or without SNS), SendGrid and Mailgun. Reports of other
 * events, such as deliveries, are left out.
 *
 * @returns undefined: the body has none of these formats.
 */
export function readBounces(body: unknown): Bounce[] | undefined {
  // SendGrid sends several at once.
  if (Array.isArray(body)) return body.flatMap((each) => readSendgrid(toFields(each)) ?? [])
  const fields = toFields(body)
  if (typeof fields.RecordType === 'string') return readPostmark(fields)
  if (fields['event-data'] !== undefined) return readMailgun(toFields(fields['event-data']))
  if (fields.Type === 'Notification' && typeof fields.Message === 'string') return readSnsMessage(fields.Message)
  if (typeof (fields.notificationType ?? fields.eventType) === 'string') return readSes(fields)
  return readPlain(fields)
}

function readPlain({ email, kind, reason, messageId }: Fields): Bounce[] | undefined {
  if (kind !== 'hard' && kind !== 'soft' && kind !== 'complaint') return undefined
  if (reason !== undefined && typeof reason !== 'string') return undefined
  if (messageId !== undefined && typeof messageId !== 'string') return undefined
  const bounces = toBounces(email, kind, reason, messageId)
  return bounces.length > 0 ? bounces : undefined
}

// https://postmarkapp.com/developer/webhooks/bounce-webhook. Postmark's MessageID is an id of its own.
function readPostmark({ RecordType: record, Type: type, Email: email, Description: reason }: Fields): Bounce[] {
  if (record !== 'Bounce' && record !== 'SpamComplaint') return []
  if (record === 'SpamComplaint' || type === 'SpamComplaint') return toBounces(email, 'complaint', reason)
  return toBounces(email, type === 'HardBounce' || type === 'BadEmailAddress' ? 'hard' : 'soft', reason)
}

// https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html
function readSnsMessage(message: string): Bounce[] | undefined {
  try {
    return readSes(toFields(JSON.parse(message)))
  } catch {
    return undefined
  }
}

function readSes(fields: Fields): Bounce[] {
  const event = fields.notificationType ?? fields.eventType
  const { messageId } = toFields(toFields(fields.mail).commonHeaders)
  const { bounceType, bouncedRecipients } = toFields(fields.bounce)
  const { complaintFeedbackType, complainedRecipients } = toFields(fields.complaint)
  const kind = bounceType === 'Permanent' ? 'hard' : 'soft'
  if (event === 'Bounce') {
    return toList(bouncedRecipients).flatMap(({ emailAddress, diagnosticCode }) =>
      toBounces(emailAddress, kind, diagnosticCode, messageId),
    )
  }
  if (event !== 'Complaint') return []
  return toList(complainedRecipients).flatMap(({ emailAddress }) =>
    toBounces(emailAddress, 'complaint', complaintFeedbackType, messageId),
  )
}

// https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event. `blocked`: refused for now.
function readSendgrid(fields: Fields): Bounce[] {
  const { event, type, email, reason } = fields
  const messageId = fields['smtp-id']
  if (event === 'spamreport') return toBounces(email, 'complaint', reason, messageId)
  return event === 'bounce' ? toBounces(email, type === 'blocked' ? 'soft' : 'hard', reason, messageId) : []
}

// https://documentation.mailgun.com/docs/mailgun/user-manual/events/event-structure
function readMailgun(data: Fields): Bounce[] {
  const messageId = toFields(toFields(data.message).headers)['message-id']
  const { message, description } = toFields(data['delivery-status'])
  if (data.event === 'complained') return toBounces(data.recipient, 'complaint', undefined, messageId)
  if (data.event !== 'failed') return []
  return toBounces(data.recipient, data.severity === 'permanent' ? 'hard' : 'soft', message || description, messageId)
}

function toBounces(email: unknown, kind: Bounce['kind'], reason?: unknown, messageId?: unknown): Bounce[] {
  if (typeof email !== 'string' || !isEmailAddress(email)) return []
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return [{ email, kind, reason: text(reason), messageId: text(messageId) || null }]
}

function toFields(value: unknown): Fields {
  // Every value that is read of it is checked.
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

const toList = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(toFields) : [])
