import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { sitePages } from '#contract/site-pages.ts'
import { withBasePath } from '../../lib/base-path.ts'
import { getPageContext } from '../../lib/page-context.ts'
import { describePage, type PageMatches } from '../site/describe-page.ts'
import { PageHead } from '../site/page-head.tsx'

export function meta(page: PageMatches) {
  return describePage(page, sitePages.about)
}

export function loader({ context }: LoaderFunctionArgs) {
  return { operator: getPageContext(context).siteContent.getOperator() }
}

const principles = [
  {
    title: 'No feedback is lost',
    text: 'Not offline, not when a server dies, not when a trial ends. The browser keeps a submission until it is stored, and what is over a plan’s limit is kept and locked, never dropped.',
  },
  {
    title: 'Light on the pages of others',
    text: 'The widget runs on pages that are not ours. It is 2 kB before a click and is measured against that page in every release.',
  },
  {
    title: 'Data stays where you put it',
    text: 'Earshot runs on your own machine with its own database. It loads nothing from other servers and sends nothing to its makers.',
  },
  {
    title: 'Open source',
    text: 'The app is free software under the AGPL, the widget and the clients under the MIT licence. Every feature is in it: none is kept for a paid edition.',
  },
] as const

/** What Earshot is, and who runs this instance. */
export default function AboutRoute() {
  const { operator } = useLoaderData<typeof loader>()
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-12 px-5 pt-12 pb-20 md:px-8 md:pt-16">
      <PageHead title="About Earshot">
        Earshot collects what visitors of a website have to say, in the way that suits them, and gives the team behind
        the website one place to work it.
      </PageHead>
      <dl className="grid gap-x-10 gap-y-8 sm:grid-cols-2">
        {principles.map(({ title, text }) => (
          <div key={title} className="flex flex-col gap-1.5">
            <dt className="font-semibold text-xl">{title}</dt>
            <dd className="text-lg text-muted">{text}</dd>
          </div>
        ))}
      </dl>
      <section className="flex flex-col gap-3 border-border border-t pt-10">
        <h2 className="font-semibold text-2xl">Who runs this instance</h2>
        {operator.name === null ? (
          <p className="text-lg text-muted">
            Its operator has not entered a name.{' '}
            <a className="text-accent-text underline" href={withBasePath('/contact')}>
              Write to them
            </a>
            .
          </p>
        ) : (
          <address className="whitespace-pre-line text-lg not-italic">
            {[operator.name, operator.address].filter(Boolean).join('\n')}
          </address>
        )}
        <p className="text-lg text-muted">
          Questions?{' '}
          <a className="text-accent-text underline" href={withBasePath('/contact')}>
            Send a message
          </a>
          .
        </p>
      </section>
    </div>
  )
}
