import { Check } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { cn } from './class-names.ts'

/** One line of a {@link CommandList}. */
export interface CommandOption {
  id: string
  label: string
  /** Options of one group stand together under its name. */
  group?: string
  icon?: ReactNode
  /** At the end of the line: a count, keys. */
  aside?: ReactNode
  /** In a list of any number: whether it is chosen. */
  isChecked?: boolean
}

interface CommandListProps {
  label: string
  placeholder: string
  query: string
  onQueryChange: (query: string) => void
  /** What matches already; see {@link filterOptions}. */
  options: readonly CommandOption[]
  onChoose: (option: CommandOption) => void
  /** Any number may be chosen: each shows a box. */
  isMultiple?: boolean
  /** The present value, where one is chosen. */
  value?: string | undefined
  emptyText?: ReactNode
  /** Pressed in the empty field: leads back. */
  onBack?: (() => void) | undefined
  className?: string
  maxQueryLength?: number
}

/**
 * A field to type into with what can be chosen below. The arrows, Home and End move, Enter chooses; focus stays in the
 * field (the combobox pattern of the ARIA Authoring Practices).
 */
export function CommandList(props: CommandListProps) {
  const { options, query, isMultiple = false } = props
  const id = useId()
  const { list, active, point, onKeyDown } = useActiveOption(props)

  return (
    <div className={cn('flex min-h-0 flex-col', props.className)}>
      <input
        // biome-ignore lint/a11y/noAutofocus: it was opened to be typed into
        autoFocus
        role="combobox"
        aria-label={props.label}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={active && `${id}-${active.id}`}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={props.placeholder}
        maxLength={props.maxQueryLength ?? 200}
        value={query}
        onChange={(event) => props.onQueryChange(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-10 shrink-0 border-border border-b bg-transparent px-3 text-base outline-none placeholder:text-muted pointer-coarse:text-lg"
      />
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={props.label}
        aria-multiselectable={isMultiple || undefined}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1"
      >
        {groupOptions(options).map(({ name, members }, index) => (
          // Options without a group may stand in several places.
          <OptionGroup key={name || index} name={name}>
            {members.map((option) => (
              <OptionLine
                key={option.id}
                id={`${id}-${option.id}`}
                option={option}
                isActive={option === active}
                isMultiple={isMultiple}
                isValue={option.id === props.value}
                onPoint={() => point(option.id)}
                onChoose={() => props.onChoose(option)}
              />
            ))}
          </OptionGroup>
        ))}
      </div>
      {options.length === 0 && (
        <p role="status" className="px-3 pb-4 text-center text-muted text-sm">
          {props.emptyText ?? 'No results.'}
        </p>
      )}
    </div>
  )
}

/**
 * The option that the keys or the pointer are on, kept in view: without one, the current value, or the first match of the
 * typed text, also when matches arrive late.
 */
function useActiveOption({ options, query, value, onChoose, onBack }: CommandListProps) {
  const list = useRef<HTMLDivElement>(null)
  const [activeId, setActiveId] = useState<string>()
  const found = options.findIndex((option) => option.id === (activeId ?? (query === '' ? value : undefined)))
  const index = found === -1 ? 0 : found
  const active = options[index]

  // biome-ignore lint/correctness/useExhaustiveDependencies: another query is another list
  useEffect(() => setActiveId(undefined), [query])

  useEffect(() => {
    if (active === undefined) return
    list.current?.querySelector(`[data-option-id="${CSS.escape(active.id)}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const moveTo = (target: number) => setActiveId(options[Math.max(0, Math.min(options.length - 1, target))]?.id)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const target = {
      ArrowDown: index === options.length - 1 ? 0 : index + 1,
      ArrowUp: index === 0 ? options.length - 1 : index - 1,
      PageDown: index + 8,
      PageUp: index - 8,
    }[event.key]
    if (target !== undefined) {
      event.preventDefault()
      moveTo(target)
    } else if (event.key === 'Enter' && active) {
      event.preventDefault()
      onChoose(active)
    } else if (event.key === 'Backspace' && query === '' && onBack) {
      event.preventDefault()
      onBack()
    }
  }

  return { list, active, point: setActiveId, onKeyDown }
}

/** Options under their group's name, if they have one. */
function OptionGroup({ name, children }: { name: string; children: ReactNode }) {
  if (name === '') return children
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't stand in a listbox
    <div role="group" aria-label={name}>
      <div aria-hidden="true" className="px-2 pt-2 pb-1 font-medium text-muted text-xs">
        {name}
      </div>
      {children}
    </div>
  )
}

function OptionLine({
  id,
  option,
  isActive,
  isMultiple,
  isValue,
  onPoint,
  onChoose,
}: {
  id: string
  option: CommandOption
  isActive: boolean
  isMultiple: boolean
  isValue: boolean
  onPoint: () => void
  onChoose: () => void
}) {
  const isChecked = option.isChecked === true
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      data-option-id={option.id}
      aria-selected={isMultiple ? isChecked : isActive}
      onPointerMove={() => !isActive && onPoint()}
      // The field keeps the focus.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={cn(
        'flex min-h-8 cursor-default select-none items-center gap-2.5 rounded-sm px-2 py-1 text-base pointer-coarse:min-h-10',
        '[&_svg]:size-4 [&_svg]:shrink-0',
        isActive && 'bg-hover',
      )}
    >
      {isMultiple && <CheckMark isChecked={isChecked} />}
      {option.icon !== undefined && <span className="flex shrink-0 text-muted">{option.icon}</span>}
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {option.label}
      </span>
      {option.aside !== undefined && (
        <span className="flex shrink-0 items-center gap-1 text-muted text-sm tabular-nums">{option.aside}</span>
      )}
      {isValue && <Check aria-label="chosen" className="text-muted" />}
    </div>
  )
}

function CheckMark({ isChecked }: { isChecked: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'flex size-4 shrink-0 items-center justify-center rounded-sm border border-border-strong',
        isChecked && 'border-accent bg-accent',
      )}
    >
      {isChecked && <Check className="size-3! text-on-accent" strokeWidth={3} />}
    </span>
  )
}

function groupOptions(options: readonly CommandOption[]): { name: string; members: CommandOption[] }[] {
  const groups: { name: string; members: CommandOption[] }[] = []
  for (const option of options) {
    const name = option.group ?? ''
    const last = groups.at(-1)
    if (last?.name === name) last.members.push(option)
    else groups.push({ name, members: [option] })
  }
  return groups
}

/** Options whose label or group holds every typed word, in their order. */
export function filterOptions<Option extends CommandOption>(options: readonly Option[], query: string): Option[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...options]
  return options.filter(({ label, group = '' }) => {
    const text = `${group} ${label}`.toLocaleLowerCase()
    return words.every((word) => text.includes(word))
  })
}
