import { template } from './template.ts'

/** What surrounds the words of every email. */
export const layout = template('layout', {
  group: 'all',
  title: 'Every email',
  sentence: 'The name of the product and the small print of every email.',
  words: {},
  lines: {
    product: { when: 'Above the card, and wherever a text uses {{product}}', words: 'Earshot', isPlain: true },
    footer: { when: 'Below the card', words: '{{product}} · {{host}}' },
    buttonHelp: {
      when: 'Above the address of the button',
      words: 'If the button does not work, copy this address into your browser:',
    },
    settings: {
      when: 'Small print of emails that members can stop',
      words: 'Notification settings: {{settingsUrl}}',
      variables: { settingsUrl: 'Address of the reader’s notification settings' },
      needs: ['settingsUrl'],
    },
    unsubscribe: {
      when: 'Small print of emails that members can stop',
      words: 'Unsubscribe from these emails: {{unsubscribeUrl}}',
      variables: { unsubscribeUrl: 'Address that stops such emails' },
      needs: ['unsubscribeUrl'],
    },
  },
})
