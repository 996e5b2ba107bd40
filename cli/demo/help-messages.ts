import type { DemoPage, Messages } from './message.ts'

export const helpPages: Readonly<Record<string, DemoPage>> = {
  home: { path: '/', title: 'Help centre' },
  article: { path: '/articles/assembling-{slug}', title: 'Assembling the {product} – Help centre' },
  returns: { path: '/articles/returns', title: 'Sending something back – Help centre' },
  care: { path: '/articles/caring-for-oiled-wood', title: 'Caring for oiled wood – Help centre' },
  guarantee: { path: '/articles/guarantee', title: 'Guarantee – Help centre' },
  search: { path: '/search?q=spare+parts', title: 'Search – Help centre' },
  contact: { path: '/contact', title: 'Contact – Help centre' },
}

export const helpMessages: Messages = {
  bug: {
    article: [
      'Step {step} of the {product} shows the left panel on the right. I have now taken it apart twice.',
      'The drawing for step {step} is missing; there is only a grey box.',
      'The video for the {product} is private: “This video is not available”.',
      'Part {letter}{step} in the list is called {letter}{count} on the sticker. Which one is it?',
    ],
    returns: [
      'The return label cannot be printed: the PDF is empty in Firefox and fine in Chrome.',
      'Form says “order not found” for {order}. It is in my account and in your email.',
    ],
    search: [
      'Search in the help finds only articles in English, even if I read everything else in French.',
      'Searching for “screw” gives {count} results, all of them the privacy policy.',
    ],
    contact: [
      'The contact form loses what I wrote if the attachment is too large. It was a long letter.',
      'I uploaded {count} photos and the email I got back shows one.',
      'Chat opens and says “an agent will be with you shortly” for {count} minutes now. At least close it after hours.',
    ],
  },
  idea: {
    article: [
      'Say at the top which tools I need for the {product}. I was at step {step} when I learned about the 5 mm drill.',
      'Number the bags of screws for the {product}. It is the only thing missing in otherwise excellent instructions.',
      'Large print, please. These instructions are read on the floor, from a distance, by people like me (74).',
      'Tell us how long step {step} takes and whether one person can do it alone.',
    ],
    care: ['Add a table: wood, oil, how often. One page I could hang inside the cupboard.'],
    returns: ['Let me book the pick-up from here instead of by phone between 9 and 12, when everyone works.'],
    contact: ['A call-back at a time that I choose would be nicer than waiting with music.'],
  },
  question: {
    article: [
      'Can the {product} be taken apart again without damage? We move once a year.',
      'How tight should the bolts in step {step} be? It creaks whether I tighten or loosen them.',
      'Is there a wall fixing for the {product}? We have a toddler who climbs everything.',
    ],
    returns: [
      'I have thrown away the box of the {product}. Can I still send it back?',
      'Do the 100 days count from the order or from the delivery? {order} took {weeks} weeks.',
    ],
    care: [
      'Red wine on the oiled oak, 20 minutes ago. What now? Quickly please.',
      'Which oil did you use for the {product}? The article says “natural oil”, which is true of many things.',
      'May I use ordinary soap on {colour} linen?',
    ],
    guarantee: ['Does the guarantee move with the furniture if I sell the {product}?'],
    search: ['Where can I order a spare hinge for the {product}? The old number ({letter}{count}) finds nothing.'],
  },
  praise: {
    article: [
      'Clear instructions! The {product} stood after 40 minutes and I am no craftsman.',
      'Thank you for naming the tricky step {step} as tricky. It is a comfort while swearing.',
    ],
    care: ['Followed the article about water rings with an iron and a cloth. It really works. Wow.'],
    returns: ['Easiest return of my life.'],
    contact: ['Just wanted to thank Noor from your team. She stayed on the phone until the last screw was in.'],
  },
  other: {
    article: ['One screw left over from the {product}. Tell me it is a spare. Just say it.'],
    guarantee: ['The article was last changed in 2021 and still names the old address in {city}.'],
    contact: [
      'I would like to speak to the person who decided on eleven different kinds of dowels. Not angry. Just curious.',
    ],
  },
}
