import Type, { type Static } from 'typebox'
import { route } from './route.ts'
import { Email, line, lines, Uuid } from './text.ts'

export const contactTopics = ['question', 'problem', 'plans', 'privacy', 'other'] as const
export type ContactTopic = (typeof contactTopics)[number]

export const contactLimits = { name: 100, message: 5000 } as const

export const ContactMessage = Type.Object(
  {
    /** Chosen by the sender: a repeated request stores one message. */
    id: Uuid,
    topic: Type.Enum([...contactTopics]),
    name: line({ minLength: 1, maxLength: contactLimits.name }),
    /** Where an answer is sent. */
    email: Email,
    message: lines({ minLength: 1, maxLength: contactLimits.message }),
    /** A hidden field, which people leave out. Filled in, it is likely a bot. */
    website: Type.Optional(Type.String({ maxLength: 1000 })),
  },
  { additionalProperties: false },
)
export type ContactMessage = Static<typeof ContactMessage>

export const sendContactMessage = route({
  operationId: 'sendContactMessage',
  method: 'POST',
  path: '/api/v1/contact',
  summary: 'Send a message to the operator of the instance',
  tag: 'contact',
  body: ContactMessage,
  maxBodyBytes: 262_144,
  replies: { 202: Type.Object({ id: Uuid }) },
  errors: [],
  access: { kind: 'public' },
  rate: 'write',
})
