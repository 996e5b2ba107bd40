import type { DemoMessage } from './message.ts'

/** What no visitor wrote, with the reason for which it was put aside. */
export const spamMessages: readonly DemoMessage[] = [
  spam('links', 'Cheap followers https://a.example/x https://b.example/y https://c.example/z '.repeat(4).trim()),
  spam('too_fast', 'Nice post, thanks for sharing! Visit my profile for more.'),
  spam('too_fast', 'qwe qwe qwe'),
  spam('honeypot', 'We can bring your website to place 1 of every search engine within 48 hours. Guaranteed.'),
  spam('honeypot', 'Dear Sir or Madam, I have a business proposal of mutual interest for you. Kindly reply.'),
  spam('repeated', 'Congratulations! You have been chosen. Click https://prize.example/ to claim your gift card.'),
  spam('links', '<a href="https://pills.example/">no prescription</a> '.repeat(12).trim()),
]

function spam(spamReason: string, text: string): DemoMessage {
  return { type: 'other', page: 'home', text, spamReason }
}
