import { Check, Minus, Plus } from 'lucide-react'
import { type KeyboardEvent, type ReactElement, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { locale } from '../lib/locale.ts'
import { cn } from './class-names.ts'
import { Kbd } from './kbd.tsx'

/** One value of a pick menu. */
export interface PickOption {
  value: string
  label: string
  /** Further words by which it is found, e.g. an address. */
  hint?: string
  icon?: ReactNode
  /** `some`: true of a part of what is being changed. */
  state: 'on' | 'off' | 'some'
}

export interface PickMenuProps {
  label: string
  placeholder: string
  options: readonly PickOption[]
  onPick: (value: string) => void
  /** Offers to make a value of the words typed, where no option has them as its label. */
  create?: { label: (typed: string) => string; onCreate: (typed: string) => void; maxLength: number }
  /** Hears the words typed, where the options are read from the server. */
  onType?: (typed: string) => void
  /** Whether options for the words typed are still being read: Enter waits for the first. */
  isSearching?: boolean
  /** Said when there are no options at all. */
  emptyText: string
  /** Several can be on. It closes after one all the same, so that the next key is a shortcut again; Shift or a finger keeps it open. */
  isMultiple?: boolean
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Where focus goes when it closes, if not to what opened it. */
  returnFocus?: () => void
  align?: 'start' | 'center' | 'end'
  /** What opens it: one element that takes a ref. */
  children: ReactElement
}

const createValue = '\u0000create'
const maxShown = 100

/** The values of a pick menu, and the field that finds them. */
export function PickList(props: PickMenuProps) {
  const { label, placeholder, create, emptyText, isMultiple } = props
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const search = useOptionSearch(props)
  const { typed, found, foundCount, canCreate, values, active, point, pick } = search
  const moveTo = (index: number) => {
    point(index)
    list.current?.querySelector(`[data-index="${index}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const optionProps = (index: number, value: string) => ({
    id: `${id}-${index}`,
    index,
    isActive: index === active,
    onPick: (keepsOpen: boolean) => pick(value, keepsOpen),
    onPoint: () => point(index),
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') moveTo((active + 1) % Math.max(1, values.length))
    else if (event.key === 'ArrowUp') moveTo((active - 1 + values.length) % Math.max(1, values.length))
    else if (event.key === 'Enter') search.enter(event.shiftKey)
    // The popover leaves Escape to what opened after it: the toast about a tag.
    else if (event.key === 'Escape') props.onOpenChange(false)
    else return
    event.preventDefault()
  }
  return (
    <>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(values.length > 0 && { 'aria-activedescendant': `${id}-${active}` })}
        aria-label={label}
        placeholder={placeholder}
        value={typed}
        maxLength={create?.maxLength ?? 100}
        dir="auto"
        autoComplete="off"
        spellCheck={false}
        onChange={({ currentTarget }) => search.type(currentTarget.value)}
        onKeyDown={onKeyDown}
        className="h-10 w-full shrink-0 border-border border-b bg-transparent px-3 text-base outline-none placeholder:text-muted focus-visible:outline-none pointer-coarse:h-11 pointer-coarse:text-lg"
      />
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        aria-multiselectable={isMultiple === true}
        className="min-h-0 overflow-y-auto p-1"
      >
        {found.map((option, index) => (
          <Option key={option.value} {...optionProps(index, option.value)} isSelected={option.state === 'on'}>
            <OptionContent option={option} isMultiple={isMultiple === true} />
          </Option>
        ))}
        {canCreate && (
          <Option {...optionProps(found.length, createValue)} isSelected={false}>
            <Plus aria-hidden="true" className="text-muted" />
            <bdi className="min-w-0 flex-1 truncate">{create?.label(typed.trim())}</bdi>
          </Option>
        )}
      </div>
      {foundCount > found.length && <MoreHint found={foundCount} />}
      {isMultiple && values.length > 1 && <SeveralHint />}
      {values.length === 0 && (
        <p role="status" className="px-3 pt-1 pb-3 text-base text-muted">
          {typed.trim() === '' ? emptyText : props.isSearching ? 'Searching…' : 'Nothing found.'}
        </p>
      )}
    </>
  )
}

function MoreHint({ found }: { found: number }) {
  return (
    <p role="status" className="shrink-0 border-border border-t px-3 py-2 text-muted text-sm">
      {maxShown} of {found.toLocaleString(locale)}. Type to find more.
    </p>
  )
}

function SeveralHint() {
  return (
    <p className="shrink-0 border-border border-t px-3 py-2 text-muted text-sm pointer-coarse:hidden">
      <Kbd>Shift</Kbd> to pick several
    </p>
  )
}

/** The typed text, the options that contain it, and the option that Enter picks. */
function useOptionSearch(props: PickMenuProps) {
  const { options, onPick, onType, create, isMultiple, isSearching = false, onOpenChange } = props
  const [typed, setTyped] = useState('')
  const [activeIndex, setActiveIndex] = useState(0)
  /** Enter was pressed before the first option came. */
  const [waiting, setWaiting] = useState<{ keepsOpen: boolean }>()
  const wanted = typed.trim().toLocaleLowerCase()
  const all = options.filter(({ label: words, hint }) => `${words} ${hint ?? ''}`.toLocaleLowerCase().includes(wanted))
  const found = all.slice(0, maxShown)
  const canCreate = create && wanted !== '' && !options.some((option) => option.label.toLocaleLowerCase() === wanted)
  const values = [...found.map(({ value }) => value), ...(canCreate ? [createValue] : [])]
  const active = Math.min(activeIndex, values.length - 1)

  const pick = (value: string | undefined, keepsOpen: boolean) => {
    if (value === undefined) return
    if (value === createValue) create?.onCreate(typed.trim())
    else onPick(value)
    if (!isMultiple || !keepsOpen) return onOpenChange(false)
    type('')
    if (value === createValue) setActiveIndex(0)
  }
  const type = (text: string) => {
    setTyped(text)
    onType?.(text.trim())
    setActiveIndex(0)
    setWaiting(undefined)
  }
  const enter = (keepsOpen: boolean) => {
    if (values.length === 0 && isSearching) setWaiting({ keepsOpen })
    else pick(values[active], keepsOpen)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the options have come, whatever else is drawn
  useEffect(() => {
    if (!waiting || (values.length === 0 && isSearching)) return
    setWaiting(undefined)
    pick(values[0], waiting.keepsOpen)
  }, [waiting, values.length, isSearching])
  return { typed, type, enter, found, foundCount: all.length, canCreate, values, active, point: setActiveIndex, pick }
}

function Option({
  id,
  index,
  isActive,
  isSelected,
  onPick,
  onPoint,
  children,
}: {
  id: string
  index: number
  isActive: boolean
  isSelected: boolean
  onPick: (keepsOpen: boolean) => void
  onPoint: () => void
  children: ReactNode
}) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the field's, where focus stays
    // biome-ignore lint/a11y/useFocusableInteractive: the field names the active option
    <div
      id={id}
      data-index={index}
      role="option"
      aria-selected={isSelected}
      // A click is a pointer event in every browser but old ones, which say nothing of the pointer.
      onClick={({ shiftKey, nativeEvent }) =>
        onPick(shiftKey || (nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch'))
      }
      onPointerMove={onPoint}
      // Focus stays in the field.
      onPointerDown={(event) => event.preventDefault()}
      className={cn(
        'flex min-h-8 cursor-default select-none items-center gap-2.5 rounded-sm px-2 text-base [&_svg]:size-4 [&_svg]:shrink-0 pointer-coarse:min-h-11',
        isActive && 'bg-hover',
      )}
    >
      {children}
    </div>
  )
}

function OptionContent({ option, isMultiple }: { option: PickOption; isMultiple: boolean }) {
  return (
    <>
      {isMultiple && <Tick state={option.state} />}
      {option.icon}
      <bdi className="min-w-0 flex-1 truncate">{option.label}</bdi>
      {!isMultiple && option.state === 'on' && <Check aria-hidden="true" className="text-muted" />}
      {option.state === 'some' && <span className="sr-only">(on some)</span>}
    </>
  )
}

function Tick({ state }: { state: PickOption['state'] }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'flex size-4 shrink-0 items-center justify-center rounded-sm border border-border-strong [&_svg]:size-3!',
        state !== 'off' && 'border-accent bg-accent text-on-accent',
      )}
    >
      {state === 'on' && <Check strokeWidth={3} />}
      {state === 'some' && <Minus strokeWidth={3} />}
    </span>
  )
}
