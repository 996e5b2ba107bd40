import type { Chance } from './chance.ts'
import type { DemoWindow } from './demo-files.ts'
import { devices } from './devices.ts'
import type { Visitor } from './people.ts'

/**
 * The technical context of the visitor's browser.
 *
 * @param window the one that a file was made in, which must fit; undefined: any
 */
export function composeContext(
  chance: Chance,
  visitor: Visitor,
  domain: string,
  window: DemoWindow | undefined,
): Record<string, unknown> {
  const fitting = devices.filter((each) => window === undefined || fits(each, window))
  const device = chance.weigh(fitting.map((each) => [each, each.share]))
  const referrer = chance.weigh([
    [undefined, 45],
    [`https://${domain}/`, 30],
    ['https://search.example/', 18],
    ['https://newsletter.example/november', 7],
  ])
  const colorScheme = chance.happens(device.touch ? 0.45 : 0.25) ? 'dark' : 'light'
  return {
    userAgent: device.userAgent,
    language: visitor.language,
    languages: [visitor.language, visitor.language.slice(0, 2), 'en'],
    timeZone: visitor.timeZone,
    viewport: window ? { width: window.width, height: window.height, pixelRatio: window.pixelRatio } : device.viewport,
    screen: device.screen,
    colorScheme: window?.colorScheme ?? colorScheme,
    touch: device.touch,
    zoom: 1,
    reducedMotion: false,
    online: true,
    saveData: false,
    cores: device.touch ? 8 : 12,
    // As browsers give them: not rounded.
    load: device.touch
      ? [184.30000000001863, 1240.5, 2610.700000000186]
      : [55.700000000186265, 480.2, 812.4000000003725],
    clicked: device.touch ? '' : '#main>form:nth-child(2)>button:nth-child(4)',
    ...(referrer !== undefined && { referrer }),
  }
}

function fits({ touch, screen, viewport }: (typeof devices)[number], window: DemoWindow): boolean {
  return (
    touch === window.touch &&
    screen.height > window.height &&
    (touch ? viewport.width === window.width : screen.width >= window.width)
  )
}
