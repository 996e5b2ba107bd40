import { Camera, History, type LucideIcon, MessageSquareText, Mic, MonitorPlay, Paperclip, Star } from 'lucide-react'

interface CaptureMode {
  title: string
  text: string
  icon: LucideIcon
  isWide?: boolean
}

const modes: readonly CaptureMode[] = [
  { title: 'Text', text: 'A bug, an idea, a question or praise, and your custom questions.', icon: MessageSquareText },
  { title: 'Rating', text: 'Faces, stars, or a score from 0 to 10.', icon: Star },
  {
    title: 'Annotated screenshot',
    text: 'Taken in the page, without a permission prompt. Visitors draw, write and redact on it. Passwords and payment fields are always black.',
    icon: Camera,
    isWide: true,
  },
  { title: 'Voice note', text: 'Up to five minutes. Faster than typing.', icon: Mic },
  {
    title: 'Screen recording',
    text: 'Up to ten minutes, with the microphone if the visitor likes.',
    icon: MonitorPlay,
  },
  { title: 'Files', text: 'Up to ten attachments, selected, dropped or pasted.', icon: Paperclip },
  { title: 'Replay', text: 'The page’s last minute with all inputs masked. Off until you enable it.', icon: History },
]

export function CaptureModes() {
  return (
    <section className="border-border border-t">
      <div className="mx-auto flex w-full max-w-6xl flex-col gap-8 px-5 py-16 md:px-8 md:py-20">
        <div className="flex flex-col gap-2">
          <h2 className="font-semibold text-3xl">Five ways to collect feedback, plus files and replay</h2>
          <p className="max-w-2xl text-lg text-muted">
            Visitors use one or combine them. Enable the ones you want for each project.
          </p>
        </div>
        <ul className="grid gap-px overflow-hidden rounded-xl border border-border bg-border sm:grid-cols-2 lg:grid-cols-4">
          {modes.map(({ title, text, icon: Icon, isWide }) => (
            <li key={title} className={`flex flex-col gap-3 bg-surface p-5 ${isWide ? 'sm:col-span-2' : ''}`}>
              <Icon aria-hidden="true" className="size-5 text-accent-text" />
              <div>
                <h3 className="font-semibold text-lg">{title}</h3>
                <p className="text-base text-muted">{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
