import type { Facts } from '#server/testing/facts.ts'

const message = (id: string) =>
  `(id, topic, name, email, message) values ('${id}', 'other', 'Ada', 'ada@example.com', 'Hello')`

export const facts: Facts = {
  migrations: {
    '0045_contact.sql': 'de627c18e969cf629427421e368c51d047f70256ebbc268f7058ef0b51d0fcd1',
  },
  tables: {
    'public.contact_messages': {
      rights: ['----', '----', '----', '----', 'siud'],
      make: () =>
        `insert into public.contact_messages ${message('0190c0de-0000-7000-8000-00000000c0de')} on conflict do nothing`,
      row: () => `id = '0190c0de-0000-7000-8000-00000000c0de'`,
      change: 'is_spam = true',
      add: () => message('0190c0de-0000-7000-8000-00000000c0df'),
    },
  },
  withoutTenant: {
    'public.contact_messages': 'Messages are to the operator of the instance, by anyone.',
  },
  ids: { messageId: { table: 'public.contact_messages' } },
  routes: {
    markMessage: { body: () => ({ answered: true }) },
    sendContactMessage: {
      body: () => ({
        id: '0190c0de-0000-7000-8000-00000000c0d1',
        topic: 'question',
        name: 'Ada',
        email: 'ada@example.com',
        message: 'Does it work with Vue?',
      }),
    },
  },
}
