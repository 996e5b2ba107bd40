import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { NewComment } from '#contract/conversation.ts'
import { cn } from '#web/ui/class-names.ts'
import { type Assignable, MemberPicture, nameMember } from '../item-menus/assignee-menu.tsx'
import { useMembers } from '../use-members.ts'
import { findMentionQuery, type Mention } from './mentions.ts'

interface MentionFieldProps {
  ref: Ref<HTMLTextAreaElement>
  kind: NewComment['kind']
  value: string
  maxLength: number
  placeholder: string
  onChange: (text: string) => void
  /** A member was picked; the text has their name. */
  onMention: (mention: Mention, text: string) => void
  onSend: () => void
  /** Escape leaves the field, so that single keys work again. */
  onLeave: () => void
}

const maxShown = 6

/** A text in which an `@` offers colleagues: arrows move, Enter or Tab picks, Escape leaves them out. Only notes mention. */
export function MentionField({
  ref,
  kind,
  value,
  maxLength,
  placeholder,
  onChange,
  onMention,
  onSend,
  onLeave,
}: MentionFieldProps) {
  const id = useId()
  const { members } = useMembers()
  const field = useRef<HTMLTextAreaElement>(null)
  // React sets the ref before it runs this.
  useImperativeHandle(ref, () => field.current as HTMLTextAreaElement)
  const [cursor, setCursor] = useState(0)
  const [activeIndex, setActiveIndex] = useState(0)
  const [dismissedAt, setDismissedAt] = useState<number>()
  const query = kind === 'note' ? findMentionQuery(value, cursor) : undefined
  const found = query && query.start !== dismissedAt ? findMembers(members, query.words) : []
  const active = Math.min(activeIndex, found.length - 1)

  const pick = (member: (typeof members)[number] | undefined) => {
    if (!member || !query) return
    const name = nameMember(member)
    const before = `${value.slice(0, query.start)}@${name} `
    // At once: the next letter may be typed already.
    flushSync(() => {
      onMention({ userId: member.userId, name }, before + value.slice(cursor).replace(/^ /, ''))
      setCursor(before.length)
      setActiveIndex(0)
    })
    field.current?.focus()
    field.current?.setSelectionRange(before.length, before.length)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) return onSend()
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape' && found.length === 0) return onLeave()
    if (found.length === 0) return
    if (event.key === 'ArrowDown') setActiveIndex((active + 1) % found.length)
    else if (event.key === 'ArrowUp') setActiveIndex((active - 1 + found.length) % found.length)
    else if (event.key === 'Enter' || event.key === 'Tab') pick(found[active])
    else if (event.key === 'Escape') setDismissedAt(query?.start)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const isOpen = found.length > 0
  return (
    <div className="relative">
      <textarea
        ref={field}
        data-composer={kind}
        aria-label={kind === 'note' ? 'Note' : 'Reply'}
        rows={1}
        maxLength={maxLength}
        dir="auto"
        value={value}
        placeholder={placeholder}
        aria-autocomplete="list"
        {...(isOpen && { 'aria-controls': `${id}-list`, 'aria-activedescendant': `${id}-${active}` })}
        onChange={({ currentTarget }) => {
          setCursor(currentTarget.selectionStart)
          setActiveIndex(0)
          setDismissedAt(undefined)
          onChange(currentTarget.value)
        }}
        onSelect={({ currentTarget }) => setCursor(currentTarget.selectionStart)}
        onBlur={() => setDismissedAt(query?.start)}
        onFocus={() => setDismissedAt(undefined)}
        onKeyDown={onKeyDown}
        className="block field-sizing-content max-h-[40dvh] min-h-10 w-full resize-none rounded-sm bg-transparent px-3 py-2.5 text-base text-foreground placeholder:text-muted focus-visible:outline-2 focus-visible:outline-ring focus-visible:outline-offset-[-2px] pointer-coarse:text-lg"
      />
      {isOpen && <MentionList id={id} members={found} active={active} onActive={setActiveIndex} onPick={pick} />}
    </div>
  )
}

function findMembers(members: readonly Assignable[], words: string): Assignable[] {
  const wanted = words.toLocaleLowerCase()
  return members
    .filter((member) => `${nameMember(member)} ${member.email}`.toLocaleLowerCase().includes(wanted))
    .slice(0, maxShown)
}

interface MentionListProps {
  id: string
  members: readonly Assignable[]
  active: number
  onActive: (index: number) => void
  onPick: (member: Assignable) => void
}

/** The members that match the text after the `@`. */
function MentionList({ id, members, active, onActive, onPick }: MentionListProps) {
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label="Teammates"
      className="animate-pop absolute bottom-full left-2 z-20 mb-1 w-64 max-w-[calc(100%-1rem)] rounded-lg border border-border bg-raised p-1 shadow-lg"
    >
      {members.map((member, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the field's, where focus stays
        // biome-ignore lint/a11y/useFocusableInteractive: the field names the active option
        <div
          key={member.userId}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          onPointerDown={(event) => event.preventDefault()}
          onPointerMove={() => onActive(index)}
          onClick={() => onPick(member)}
          className={cn(
            'flex min-h-8 cursor-default items-center gap-2.5 rounded-sm px-2 text-base pointer-coarse:min-h-11',
            index === active && 'bg-hover',
          )}
        >
          <MemberPicture member={member} />
          <bdi className="min-w-0 truncate">{nameMember(member)}</bdi>
        </div>
      ))}
    </div>
  )
}
