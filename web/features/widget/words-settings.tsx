import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type WidgetLocale, type WidgetSettings, widgetLocales } from '#contract/widget-settings.ts'
import { Field } from '#web/ui/field.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { localeNames } from './locale-names.ts'
import type { SettingsPartProps } from './settings-part.ts'
import { TextList } from './text-list.tsx'
import { textsQuery } from './widget-queries.ts'

/** The widget's language and custom texts. */
export function WordsSettings({ settings, change }: SettingsPartProps) {
  const [locale, setLocale] = useState<WidgetLocale>(settings.locale === 'auto' ? 'en' : settings.locale)
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
      {texts.data ? (
        <TextList
          defaults={texts.data}
          own={settings.texts[locale] ?? {}}
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

function withTexts(
  texts: WidgetSettings['texts'],
  locale: WidgetLocale,
  own: Record<string, string>,
): WidgetSettings['texts'] {
  const { [locale]: _, ...others } = texts
  return Object.keys(own).length === 0 ? others : { ...others, [locale]: own }
}
