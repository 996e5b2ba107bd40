import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { type WidgetLocale, type WidgetSettings, widgetLocales } from '#contract/widget-settings.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { localeNames } from './locale-names.ts'
import type { SettingsPartProps } from './settings-part.ts'
import { textsQuery } from './widget-queries.ts'

/** The widget's language and custom texts. */
export function WordsSettings({ settings, change }: SettingsPartProps) {
  const [locale, setLocale] = useState<WidgetLocale>(settings.locale === 'auto' ? 'en' : settings.locale)
  const [search, setSearch] = useState('')
  const texts = useQuery(textsQuery(locale))
  return (
    <>
      <Field label="Language">
        {(control) => (
          <Select
            {...control}
            value={settings.locale}
            // The options below are the locales.
            onChange={({ currentTarget }) => change({ locale: currentTarget.value as WidgetSettings['locale'] })}
          >
            <option value="auto">Visitor’s language, if supported</option>
            {widgetLocales.map((each) => (
              <option key={each} value={each}>
                {localeNames[each]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Customise text in">
          {(control) => (
            <Select
              {...control}
              value={locale}
              // The options below are the locales.
              onChange={({ currentTarget }) => setLocale(currentTarget.value as WidgetLocale)}
            >
              {widgetLocales.map((each) => (
                <option key={each} value={each}>
                  {localeNames[each]}
                  {Object.keys(settings.texts[each] ?? {}).length > 0 ? ' •' : ''}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Find">
          {(control) => (
            <div className="relative">
              <Search aria-hidden="true" className="absolute top-2.5 left-3 size-4 text-muted" />
              <Input
                {...control}
                type="search"
                className="pl-9"
                value={search}
                onChange={({ currentTarget }) => setSearch(currentTarget.value)}
              />
            </div>
          )}
        </Field>
      </div>
      {texts.data ? (
        <TextList
          defaults={texts.data}
          own={settings.texts[locale] ?? {}}
          search={search}
          locale={locale}
          onChange={(own) => change({ texts: withTexts(settings.texts, locale, own) })}
        />
      ) : texts.error ? (
        <LoadFailure title="Couldn’t load the texts" error={texts.error} onRetry={() => texts.refetch()} />
      ) : (
        <Skeleton className="h-72" />
      )}
    </>
  )
}

function TextList({
  defaults,
  own,
  search,
  locale,
  onChange,
}: {
  defaults: Readonly<Record<string, string>>
  own: Readonly<Record<string, string>>
  search: string
  locale: WidgetLocale
  onChange: (own: Record<string, string>) => void
}) {
  const wanted = search.trim().toLocaleLowerCase()
  const shown = Object.entries(defaults).filter(([name, text]) =>
    `${name} ${text} ${own[name] ?? ''}`.toLocaleLowerCase().includes(wanted),
  )
  const isRightToLeft = locale === 'ar' || locale === 'he'
  return (
    <ul
      aria-label="Texts"
      className="flex max-h-96 flex-col divide-y divide-border overflow-y-auto rounded-md border border-border bg-surface"
    >
      {shown.length === 0 && <li className="px-3 py-6 text-center text-base text-muted">No matching text.</li>}
      {shown.map(([name, text]) => (
        <li key={name} className="flex flex-col gap-1 px-3 py-2">
          <label htmlFor={`text-${name}`} className="text-muted text-sm" dir="auto">
            {text}
          </label>
          <Input
            id={`text-${name}`}
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
  )
}

function withTexts(
  texts: WidgetSettings['texts'],
  locale: WidgetLocale,
  own: Record<string, string>,
): WidgetSettings['texts'] {
  const { [locale]: _, ...others } = texts
  return Object.keys(own).length === 0 ? others : { ...others, [locale]: own }
}
