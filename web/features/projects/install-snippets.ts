/** One way of putting the widget on a page. */
export interface InstallGuide {
  id: string
  title: string
  /** What to do with the code; `file` names where it goes. */
  steps: readonly string[]
  file?: string
  code: string
}

/** The address of a project's widget. */
function buildWidgetUrl(appUrl: string, widgetKey: string): string {
  return `${appUrl.replace(/\/+$/, '')}/e/${widgetKey}.js`
}

/** The one line that puts the widget on any page. */
export function buildSnippet(appUrl: string, widgetKey: string): string {
  return `<script async crossorigin src="${buildWidgetUrl(appUrl, widgetKey)}"></script>`
}

/** The snippet per platform, each with its file and code. */
export function buildInstallGuides(appUrl: string, widgetKey: string): readonly InstallGuide[] {
  const url = buildWidgetUrl(appUrl, widgetKey)
  const snippet = buildSnippet(appUrl, widgetKey)
  return [
    {
      id: 'html',
      title: 'HTML',
      steps: ['Paste this line before the closing </body> tag of every page that should have the button.'],
      code: snippet,
    },
    {
      id: 'react',
      title: 'React',
      steps: [
        'Paste the line into the page that holds your app, before the closing </body> tag. It stays while your app navigates.',
      ],
      file: 'index.html',
      code: `<body>\n  <div id="root"></div>\n  <script type="module" src="/src/main.tsx"></script>\n  ${snippet}\n</body>`,
    },
    {
      id: 'next',
      title: 'Next.js',
      steps: ['Add the script to the root layout.'],
      file: 'app/layout.tsx',
      code: `import Script from 'next/script'

export default function RootLayout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <body>
        {children}
        <Script src="${url}" strategy="afterInteractive" crossOrigin="anonymous" />
      </body>
    </html>
  )
}`,
    },
    {
      id: 'vue',
      title: 'Vue',
      steps: [
        'Paste the line into the page that holds your app, before the closing </body> tag. With Nuxt, put { src, async: true } into app.head.script of nuxt.config.ts instead.',
      ],
      file: 'index.html',
      code: `<body>\n  <div id="app"></div>\n  <script type="module" src="/src/main.ts"></script>\n  ${snippet}\n</body>`,
    },
    {
      id: 'wordpress',
      title: 'WordPress',
      steps: [
        'Add this to the functions.php of your (child) theme. Needs WordPress 6.3 or newer; with a plugin for header and footer code, paste the plain HTML line instead.',
      ],
      file: 'functions.php',
      code: `add_action( 'wp_enqueue_scripts', function () {
	wp_enqueue_script( 'earshot', '${url}', array(), null, array( 'strategy' => 'async', 'in_footer' => true ) );
} );`,
    },
    {
      id: 'gtm',
      title: 'Tag Manager',
      steps: [
        'In Google Tag Manager, create a tag of type Custom HTML, paste this line, choose the trigger All Pages, and publish.',
      ],
      code: snippet,
    },
  ]
}
