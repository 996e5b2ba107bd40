/** A visitor's browser and window, as the widget sends them. */
export interface Device {
  readonly userAgent: string
  readonly viewport: { readonly width: number; readonly height: number; readonly pixelRatio: number }
  readonly screen: { readonly width: number; readonly height: number }
  readonly touch: boolean
  /** Its share of visitors, in percent. */
  readonly share: number
}

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0'

export const devices: readonly Device[] = [
  desktop(24, `${windows} ${chrome} Safari/537.36`, 1536, 730, 1536, 864, 1.25),
  desktop(8, `${windows} ${chrome} Safari/537.36 Edg/142.0.0.0`, 1903, 937, 1920, 1080, 1),
  desktop(5, `${windows.replace(')', '; rv:145.0)')} Gecko/20100101 Firefox/145.0`, 1720, 1266, 2560, 1440, 1),
  desktop(10, `${mac} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15`, 1440, 789, 1440, 900, 2),
  desktop(6, `${mac} ${chrome} Safari/537.36`, 1728, 985, 1728, 1117, 2),
  desktop(3, 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 1280, 654, 1366, 768, 1),
  phone(20, iPhone('18_7', '26.1'), 390, 664, 390, 844, 3),
  phone(5, iPhone('18_6', '18.6'), 375, 547, 375, 667, 2),
  phone(12, `Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`, 412, 785, 412, 915, 2.625),
  phone(
    3,
    `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
    360,
    648,
    360,
    780,
    3,
  ),
  phone(
    4,
    'Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
    820,
    1106,
    820,
    1180,
    2,
  ),
]

function iPhone(system: string, version: string): string {
  return `Mozilla/5.0 (iPhone; CPU iPhone OS ${system} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Mobile/15E148 Safari/604.1`
}

type Sizes = [width: number, height: number, screenWidth: number, screenHeight: number, pixelRatio: number]

function desktop(share: number, userAgent: string, ...sizes: Sizes): Device {
  return device(share, userAgent, false, sizes)
}

function phone(share: number, userAgent: string, ...sizes: Sizes): Device {
  return device(share, userAgent, true, sizes)
}

function device(share: number, userAgent: string, touch: boolean, sizes: Sizes): Device {
  const [width, height, screenWidth, screenHeight, pixelRatio] = sizes
  return {
    share,
    userAgent,
    touch,
    viewport: { width, height, pixelRatio },
    screen: { width: screenWidth, height: screenHeight },
  }
}
