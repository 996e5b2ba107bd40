import { sitePages } from '#contract/site-pages.ts'
import { withBasePath } from '../../lib/base-path.ts'
import { Button } from '../../ui/button.tsx'
import { CaptureModes } from '../landing/capture-modes.tsx'
import { HeroPicture } from '../landing/hero-picture.tsx'
import { HowItTravels } from '../landing/how-it-travels.tsx'
import { LiveDemo } from '../landing/live-demo.tsx'
import { describePage, type PageMatches } from '../site/describe-page.ts'

export function meta(page: PageMatches) {
  return describePage(page, sitePages.landing, { structured: describeSoftware() })
}

/** https://schema.org/SoftwareApplication */
function describeSoftware() {
  return {
    '@context': 'https://schema.org',
    '@type': 'SoftwareApplication',
    name: 'Earshot',
    applicationCategory: 'BusinessApplication',
    operatingSystem: 'Linux, macOS, Windows',
    description: sitePages.landing.description,
    license: 'https://www.gnu.org/licenses/agpl-3.0.html',
  }
}

export default function Landing() {
  return (
    <>
      <section className="mx-auto grid w-full max-w-6xl items-center gap-12 px-5 pt-12 pb-20 md:px-8 md:pt-20 lg:grid-cols-[1fr_1.05fr] lg:gap-16 lg:pb-28">
        <div className="flex flex-col items-start gap-6">
          <h1 className="font-semibold text-4xl tracking-tight sm:text-5xl">Hear what your visitors have to say.</h1>
          <p className="max-w-xl text-muted text-xl">
            A small button on your website. Visitors send text, ratings, screenshots, voice notes and screen recordings.
            It’s all in your team’s inbox a moment later, with the page and the browser it came from.
          </p>
          <div className="flex flex-wrap gap-3">
            <Button asChild size="lg">
              <a href={withBasePath('/register')}>Create your account</a>
            </Button>
            <Button size="lg" variant="secondary" data-demo-open>
              Try the widget
            </Button>
          </div>
        </div>
        <HeroPicture />
      </section>
      <HowItTravels />
      <LiveDemo />
      <CaptureModes />
      <section className="border-border border-t bg-surface">
        <div className="mx-auto flex max-w-6xl flex-col items-start gap-5 px-5 py-16 md:px-8">
          <h2 className="max-w-xl font-semibold text-3xl">Self-hosted and open source</h2>
          <p className="max-w-2xl text-lg text-muted">
            Earshot runs on your own machine with its own database, started by one command. It sets no cookies on your
            visitors and loads nothing from other servers. The app is free software under the AGPL, the widget under the
            MIT licence.
          </p>
          <Button asChild size="lg">
            <a href={withBasePath('/register')}>Create your account</a>
          </Button>
        </div>
      </section>
    </>
  )
}
