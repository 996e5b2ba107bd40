import { Inbox, MessageSquareText } from 'lucide-react'
import { Button } from '../../ui/button.tsx'

/** The real widget to try, and what a team would see of what was sent with it. `script/demo.ts` finds the parts by their ids. */
export function LiveDemo() {
  return (
    <section className="mx-auto w-full max-w-6xl px-5 py-16 md:px-8 md:py-20">
      <div className="grid items-center gap-10 lg:grid-cols-[1.05fr_1fr] lg:gap-16">
        <div className="flex flex-col items-start gap-4 lg:order-2">
          <h2 className="font-semibold text-3xl">Try it on this page</h2>
          <p className="text-lg text-muted">
            This is the real widget. Rate this page, take a screenshot and draw on it, or record your voice. Then see
            the item that your team would get.
          </p>
          <p className="text-base text-muted">
            It is a demo: nothing you send leaves this browser tab. Leaving the page deletes it.
          </p>
          <Button size="lg" data-demo-open>
            <MessageSquareText aria-hidden="true" />
            Open the widget
          </Button>
          <p id="demo-failure" role="alert" className="text-base text-danger-text empty:hidden" />
        </div>
        <div id="demo-result" aria-live="polite" className="flex min-h-80 flex-col">
          <NothingYet />
        </div>
      </div>
    </section>
  )
}

function NothingYet() {
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-3 rounded-xl border border-border-strong border-dashed p-8 text-center">
      <Inbox aria-hidden="true" className="size-6 text-muted" />
      <p className="font-medium text-lg">Your team’s inbox</p>
      <p className="max-w-xs text-base text-muted">Send something with the widget. The item appears here.</p>
    </div>
  )
}
