import { Camera, type LucideIcon, MessageSquareText, Mic, MonitorPlay, Star } from 'lucide-react'

interface CaptureMode {
  title: string
  text: string
  icon: LucideIcon
}

const modes: readonly CaptureMode[] = [
  { title: 'Text', text: 'A problem, an idea, a question or praise.', icon: MessageSquareText },
  { title: 'Rating', text: 'One to five, next to the message.', icon: Star },
  { title: 'Screenshot', text: 'The page as the visitor sees it, annotated.', icon: Camera },
  { title: 'Voice', text: 'Faster than typing.', icon: Mic },
  { title: 'Screen recording', text: 'The steps that lead to the problem.', icon: MonitorPlay },
]

export function CaptureModes() {
  return (
    <section className="mx-auto flex w-full max-w-6xl flex-col gap-8 px-5 py-16 md:px-8 md:py-20">
      <div className="flex flex-col gap-2">
        <h2 className="font-semibold text-3xl">Five ways to collect feedback</h2>
        <p className="max-w-2xl text-lg text-muted">
          Visitors use one or combine them. Enable the modes you want for each project.
        </p>
      </div>
      <ul className="grid gap-px overflow-hidden rounded-xl border border-border bg-border sm:grid-cols-2 lg:grid-cols-5">
        {modes.map(({ title, text, icon: Icon }) => (
          <li key={title} className="flex flex-col gap-3 bg-surface p-5">
            <Icon aria-hidden="true" className="size-5 text-accent-text" />
            <div>
              <h3 className="font-semibold text-lg">{title}</h3>
              <p className="text-base text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
