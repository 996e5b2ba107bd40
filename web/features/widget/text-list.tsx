import { Search } from 'lucide-react'
import { useId, useState } from 'react'
import type { WidgetLocale } from '#contract/widget-settings.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { groupTexts, type TextGroup } from './text-groups.ts'

interface TextListProps {
  defaults: Readonly<Record<string, string>>
  own: Readonly<Record<string, string>>
  locale: WidgetLocale
  onChange: (own: Record<string, string>) => void
}

/** The widget's texts in one language, grouped by where they show, with a search. */
export function TextList({ defaults, own, locale, onChange }: TextListProps) {
  const [words, setWords] = useState('')
  const [isChangedOnly, setChangedOnly] = useState(false)
  const groups = groupTexts(defaults, own, { words, isChangedOnly })
  const foundCount = groups.reduce((count, { texts }) => count + texts.length, 0)
  const allCount = Object.keys(defaults).length
  const changedCount = Object.keys(own).length
  return (
    <div className="flex flex-col gap-3">
      <Field label="Find">
        {(control) => (
          <div className="relative">
            <Search aria-hidden="true" className="absolute top-2.5 left-3 size-4 text-muted pointer-coarse:top-3" />
            <Input
              {...control}
              type="search"
              className="pl-9"
              placeholder="Text or place, such as “recording”"
              value={words}
              onChange={({ currentTarget }) => setWords(currentTarget.value)}
            />
          </div>
        )}
      </Field>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
        <output className="text-muted tabular-nums">
          {foundCount === allCount ? `${allCount} texts` : `${foundCount} of ${allCount} texts`}
        </output>
        <label className="flex cursor-pointer items-center gap-2 py-1">
          <input
            type="checkbox"
            className="size-4 accent-(--accent)"
            checked={isChangedOnly}
            onChange={({ currentTarget }) => setChangedOnly(currentTarget.checked)}
          />
          Changed only <span className="text-muted tabular-nums">{changedCount}</span>
        </label>
      </div>
      <div className="flex max-h-128 flex-col overflow-y-auto rounded-md border border-border bg-surface">
        {groups.length === 0 && (
          <p className="px-3 py-6 text-center text-base text-muted">
            {words.trim() === '' ? 'No changed texts in this language yet.' : 'No matching text.'}
          </p>
        )}
        {groups.map((group) => (
          <Group key={group.label} group={group} own={own} locale={locale} onChange={onChange} />
        ))}
      </div>
    </div>
  )
}

function Group({ group, own, locale, onChange }: Omit<TextListProps, 'defaults'> & { group: TextGroup }) {
  const headingId = useId()
  const isRightToLeft = locale === 'ar' || locale === 'he'
  return (
    <section aria-labelledby={headingId}>
      <h3
        id={headingId}
        className="sticky top-0 z-10 border-border border-b bg-sunken px-3 py-1.5 font-medium text-muted text-sm"
      >
        {group.label}
      </h3>
      <ul className="flex flex-col">
        {group.texts.map(([name, text]) => (
          // Below the heading, which stays in view.
          <li key={name} className="flex scroll-mt-9 flex-col gap-1 px-3 py-2">
            <label htmlFor={`text-${name}`} className="text-muted text-sm" dir="auto">
              {text}
            </label>
            <Input
              id={`text-${name}`}
              className="scroll-mt-16"
              dir={isRightToLeft ? 'rtl' : 'ltr'}
              lang={locale}
              maxLength={300}
              placeholder={text}
              value={own[name] ?? ''}
              onChange={({ currentTarget }) => {
                const { [name]: _, ...others } = own
                onChange(currentTarget.value === '' ? others : { ...others, [name]: currentTarget.value })
              }}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
