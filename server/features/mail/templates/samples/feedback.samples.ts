import { renderConversationReply } from '../../conversation-reply.mail.ts'
import { renderDeliveredItem } from '../../delivered-item.mail.ts'
import { renderFeedbackResolved } from '../../feedback-resolved.mail.ts'
import { renderNewFeedback, renderNotifications } from '../../notification.mail.ts'
import type { Sample } from './sample.ts'
import { frame } from './team.samples.ts'

const message = 'The checkout button does nothing.\nI tried twice.'
const conversation = (appUrl: string) => ({
  ...{ appUrl, projectName: 'Website', number: 42, message, link: `${appUrl}/conversations/sample` },
})
const reply = (appUrl: string) => ({
  ...conversation(appUrl),
  authorName: 'Ada Lovelace',
  text: 'Thank you for telling us.\n\nThe button works again.',
})
const item = { id: '0190c0de-0000-7000-8000-000000000002', number: 42, projectName: 'Website', message }
const notification = { ...item, kind: 'assigned', actorName: 'Ada Lovelace', itemCount: 1 } as const
const other = { ...item, number: 43, message: null }
const project = { projectId: '0190c0de-0000-7000-8000-000000000003', projectName: 'Website' }
const delivered = (appUrl: string) => ({
  ...{ appUrl, organizationName: 'Engines & Co', text: message, pictureUrl: `${appUrl}/files/sample.png` },
  item: { projectName: 'Website', type: 'Bug', number: 42 },
  sentence: 'Ada Lovelace changed the status of #42 to resolved.',
  facts: [
    { label: 'Page', value: 'Checkout' },
    { label: 'Status', value: 'Resolved' },
  ],
  consoleErrors: ['TypeError: pay is not a function'],
  itemUrl: `${appUrl}/dashboard/feedback?item=${item.id}`,
})

export const feedbackSamples = {
  'notifications.one': [
    { label: 'Assigned', render: (appUrl) => renderNotifications([notification], frame(appUrl)) },
    {
      label: 'Mentioned',
      render: (appUrl) => renderNotifications([{ ...notification, kind: 'mentioned' }], frame(appUrl)),
    },
    {
      label: 'Visitor replied, without a quote',
      render: (appUrl) =>
        renderNotifications([{ ...notification, kind: 'visitor_replied', message: null }], frame(appUrl)),
    },
    {
      label: 'Several items assigned by a deleted account',
      render: (appUrl) => renderNotifications([{ ...notification, actorName: null, itemCount: 3 }], frame(appUrl)),
    },
  ],
  'notifications.several': [
    {
      label: 'Two notifications',
      render: (appUrl) =>
        renderNotifications([notification, { ...notification, ...other, kind: 'mentioned' }], frame(appUrl)),
    },
    {
      label: 'A reply of a visitor, and items assigned by a deleted account',
      render: (appUrl) =>
        renderNotifications(
          [
            { ...notification, kind: 'visitor_replied' },
            { ...notification, ...other, actorName: null, itemCount: 3 },
          ],
          frame(appUrl),
        ),
    },
  ],
  'new_feedback.one': [
    {
      label: 'At once',
      render: (appUrl) => renderNewFeedback([{ ...project, count: 1, items: [item] }], 'instant', frame(appUrl)),
    },
    {
      label: 'Once a day, without a quote',
      render: (appUrl) => renderNewFeedback([{ ...project, count: 1, items: [other] }], 'daily', frame(appUrl)),
    },
    {
      label: 'Every hour, deleted meanwhile',
      render: (appUrl) => renderNewFeedback([{ ...project, count: 1, items: [] }], 'hourly', frame(appUrl)),
    },
  ],
  'new_feedback.several': [
    {
      label: 'Several projects',
      render: (appUrl) =>
        renderNewFeedback(
          [
            { ...project, count: 12, items: [item, other] },
            { ...project, projectName: 'Shop', count: 1, items: [{ ...item, number: 7, projectName: 'Shop' }] },
          ],
          'hourly',
          frame(appUrl),
        ),
    },
    {
      label: 'One project',
      render: (appUrl) => renderNewFeedback([{ ...project, count: 2, items: [item, other] }], 'instant', frame(appUrl)),
    },
    {
      label: 'Once a day, without a quote',
      render: (appUrl) => renderNewFeedback([{ ...project, count: 2, items: [other, other] }], 'daily', frame(appUrl)),
    },
  ],
  conversation_reply: [
    { label: 'From a named member', render: (appUrl) => renderConversationReply(reply(appUrl)) },
    {
      label: 'From a member without a name',
      render: (appUrl) => renderConversationReply({ ...reply(appUrl), authorName: null, message: '' }),
    },
  ],
  feedback_resolved: [
    { label: 'With a message', render: (appUrl) => renderFeedbackResolved(conversation(appUrl)) },
    {
      label: 'Without a message',
      render: (appUrl) => renderFeedbackResolved({ ...conversation(appUrl), message: '' }),
    },
  ],
  delivered_item: [
    { label: 'An item', render: (appUrl) => renderDeliveredItem(delivered(appUrl)) },
    {
      label: 'Without an item',
      render: (appUrl) =>
        renderDeliveredItem({ ...delivered(appUrl), item: null, itemUrl: null, text: '', pictureUrl: null }),
    },
  ],
} satisfies Record<string, readonly Sample[]>
