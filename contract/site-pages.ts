/** What search engines and previews of links read of a public page. */
export interface PageWords {
  /** From the root, e.g. `/pricing`. */
  readonly path: string
  readonly title: string
  readonly description: string
}

/** The public pages whose words never change. Guides and posts have words of their own. */
export const sitePages = {
  landing: {
    path: '/',
    title: 'Earshot: hear what your visitors have to say',
    description:
      'A small button on your website, and one inbox for all visitor feedback, with the page and the browser it came from. Self-hosted, open source.',
  },
  pricing: {
    path: '/pricing',
    title: 'Pricing',
    description:
      'Every plan has every feature. Try all of them for 14 days without a card, or host Earshot yourself for free.',
  },
  howItWorks: {
    path: '/how-it-works',
    title: 'How it works',
    description:
      'What happens to a piece of feedback: from the button on your page, through the visitor’s browser, to your team’s inbox and back to the visitor.',
  },
  about: {
    path: '/about',
    title: 'About Earshot',
    description: 'What Earshot is, what it costs the websites that use it, and who runs this instance.',
  },
  contact: {
    path: '/contact',
    title: 'Contact',
    description: 'Send a message to the people who run this instance of Earshot.',
  },
  privacy: {
    path: '/privacy',
    title: 'Privacy policy',
    description: 'Which personal data this instance of Earshot processes, what for, for how long, and your rights.',
  },
  terms: {
    path: '/terms',
    title: 'Terms of service',
    description: 'The terms for the use of this instance of Earshot.',
  },
  blog: {
    path: '/blog',
    title: 'Blog',
    description: 'How Earshot is built, with what we measured.',
  },
} as const satisfies Record<string, PageWords>

/** As a browser shows it. */
export function writeDocumentTitle(title: string): string {
  return title.startsWith('Earshot') ? title : `${title} · Earshot`
}
