import { demoWidgetKey } from '#contract/demo-widget.ts'
import { defaultWidgetSettings } from '#contract/widget-settings.ts'
import type { Widget } from './widget.queries.ts'

/** What it takes to serve a widget's code. */
export type CodeWidget = Pick<Widget, 'key' | 'domain' | 'extraOrigins' | 'settings' | 'isArchived' | 'isSuspended'>

/**
 * The widget on the landing page. It belongs to no project and has no row: the page answers its requests itself, and the
 * server refuses whatever is sent under its key.
 */
export function createDemoWidget(appUrl: string): CodeWidget {
  return {
    key: demoWidgetKey,
    domain: new URL(appUrl).hostname,
    extraOrigins: [],
    isArchived: false,
    isSuspended: false,
    settings: {
      ...defaultWidgetSettings,
      color: '#00717e',
      greeting: 'This is a demo: nothing leaves this tab.',
      email: 'hidden',
      privacy: { ...defaultWidgetSettings.privacy, storage: false },
      // There is no server to list them.
      ownItems: false,
      // The language of the landing page.
      locale: 'en',
      texts: {
        en: {
          arrived: 'Nothing left your browser. The page shows what a team would see.',
          uploaded: 'Your files stayed in this tab.',
        },
      },
    },
  }
}
