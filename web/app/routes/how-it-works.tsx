import { sitePages } from '#contract/site-pages.ts'
import { withBasePath } from '../../lib/base-path.ts'
import { Button } from '../../ui/button.tsx'
import { describePage, type PageMatches } from '../site/describe-page.ts'
import { PageHead } from '../site/page-head.tsx'

export function meta(page: PageMatches) {
  return describePage(page, sitePages.howItWorks)
}

interface Step {
  readonly title: string
  readonly texts: readonly string[]
}

// Figures: bench/README.md and docs/decisions.
const steps: readonly Step[] = [
  {
    title: 'A line on your page',
    texts: [
      'You create a project for your website and copy one script tag into its pages. It shows a button that you style to fit.',
      'The script is 2 kB (Brotli) and comes with its settings in one response. Forms, recorders and drawing tools are loaded when a visitor reaches for them. It works under a strict content security policy, keeps clear of your styles, and sets no cookies.',
    ],
  },
  {
    title: 'A visitor says what is wrong, or what they wish',
    texts: [
      'In text, with a rating, a screenshot to draw on, a voice note or a screen recording. The screenshot is taken in the page: no permission prompt, and passwords, payment fields and whatever you mark stay black.',
      'The widget adds what your team needs to act: the page, the browser, the last console entries and requests. Nothing of it leaves the page before the visitor presses Send.',
    ],
  },
  {
    title: 'The browser keeps it until your server has it',
    texts: [
      'Each submission is written to the browser’s storage before it is sent, under an id of its own. A closed tab, a dead network or a restarted server delays it; it is sent again, and stored once.',
      'The server answers “received” only after the database has committed. In our fault tests, servers are killed while visitors send, and every submission that was acknowledged is there afterwards.',
    ],
  },
  {
    title: 'Your team sees it within a second',
    texts: [
      'New items appear in the open inbox by themselves. Filter, search with typing errors, assign, tag, merge duplicates and change ten thousand items at once, by keyboard and with undo.',
      'Integrations forward items to Slack, Teams, GitHub, Jira, Linear and others, and keep their status in step. Agents read and work feedback through the Model Context Protocol.',
    ],
  },
  {
    title: 'The visitor hears back',
    texts: [
      'Reply by email. The visitor answers on a page without an account, and is told when the problem is solved. Visitors who left no address find the answer in the widget.',
    ],
  },
  {
    title: 'You see what changes',
    texts: [
      'Volume, ratings, NPS and response times over time, compared with the period before, as charts, tables and files. Everything can be exported, and one visitor’s data can be erased with all files.',
    ],
  },
]

/** For someone who wants to know before trying. */
export default function HowItWorksRoute() {
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-12 px-5 pt-12 pb-20 md:px-8 md:pt-16">
      <PageHead title="How it works">
        From the button on your page to an answer for your visitor, in six steps.
      </PageHead>
      <ol className="flex flex-col gap-10">
        {steps.map(({ title, texts }, index) => (
          <li key={title} className="grid gap-x-6 gap-y-2 sm:grid-cols-[2.5rem_1fr]">
            <span
              aria-hidden="true"
              className="flex size-9 items-center justify-center rounded-full bg-accent-soft font-semibold text-accent-text text-base tabular-nums"
            >
              {index + 1}
            </span>
            <div className="flex flex-col gap-3">
              <h2 className="font-semibold text-2xl">{title}</h2>
              {texts.map((text) => (
                <p key={text} className="text-lg text-muted">
                  {text}
                </p>
              ))}
            </div>
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-3 border-border border-t pt-10">
        <Button asChild size="lg">
          <a href={withBasePath('/register')}>Create your account</a>
        </Button>
        <Button asChild size="lg" variant="secondary">
          <a href={withBasePath('/docs/guides/quick-start')}>Read the quick start</a>
        </Button>
      </div>
    </div>
  )
}
