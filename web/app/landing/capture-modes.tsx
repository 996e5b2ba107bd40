import { Camera, type LucideIcon, MessageSquareText, Mic, MonitorPlay, Star } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'

interface CaptureMode {
  title: string
  text: string
  icon: LucideIcon
  isAvailable: boolean
}

const modes: readonly CaptureMode[] = [
  { title: 'Text', text: 'A problem, an idea, a question or praise.', icon: MessageSquareText, isAvailable: true },
  { title: 'Rating', text: 'One to five, beside the words.', icon: Star, isAvailable: true },
  { title: 'Screenshot', text: 'What the visitor sees, with marks on it.', icon: Camera, isAvailable: false },
  { title: 'Voice', text: 'Said faster than typed.', icon: Mic, isAvailable: false },
  { title: 'Screen recording', text: 'The steps that lead there.', icon: MonitorPlay, isAvailable: false },
]

export function CaptureModes() {
  return (
    <section className="mx-auto flex w-full max-w-6xl flex-col gap-8 px-5 py-16 md:px-8 md:py-20">
      <div className="flex flex-col gap-2">
        <h2 className="font-semibold text-3xl">Five ways to be told.</h2>
        <p className="max-w-2xl text-lg text-muted">
          Text and rating are here. The other three are being built, and this page will say when they are done.
        </p>
      </div>
      <ul className="grid gap-px overflow-hidden rounded-xl border border-border bg-border sm:grid-cols-2 lg:grid-cols-5">
        {modes.map(({ title, text, icon: Icon, isAvailable }) => (
          <li key={title} className="flex flex-col gap-3 bg-surface p-5">
            <div className="flex items-center justify-between">
              <Icon aria-hidden="true" className={isAvailable ? 'size-5 text-accent-text' : 'size-5 text-muted'} />
              {!isAvailable && <Badge>Not yet</Badge>}
            </div>
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
