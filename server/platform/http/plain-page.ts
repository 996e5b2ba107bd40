import { Html, html } from '../html.ts'

/* Pages without the web app: for a step between two sites, with one button. */

const style = new Html(`
  :root { color-scheme: light dark }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #f6f7f9; color: #14161a;
    font: 16px/24px Inter, -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif }
  main { box-sizing: border-box; width: min(26rem, 100vw - 2rem); padding: 2rem; background: #fff;
    border: 1px solid #e3e5ea; border-radius: 12px }
  h1 { margin: 0 0 .75rem; font-size: 1.375rem; line-height: 1.75rem; font-weight: 600 }
  p { margin: 0 0 1.5rem; color: #3c4049 }
  p:last-child { margin: 1.5rem 0 0; font-size: .875rem; line-height: 1.25rem; color: #5b606e }
  button, a { display: block; box-sizing: border-box; width: 100%; min-height: 2.75rem; padding: .625rem; border: 0;
    border-radius: 8px; background: #00636e; color: #fff; font: inherit; font-weight: 500; text-align: center;
    text-decoration: none; cursor: pointer }
  button:focus-visible, a:focus-visible { outline: 2px solid #00636e; outline-offset: 2px }
  @media (prefers-color-scheme: dark) {
    body { background: #101114; color: #f4f5f7 }
    main { background: #191b20; border-color: #2c2f37 }
    p { color: #c9ccd4 }
    p:last-child { color: #9a9faa }
    button, a { background: #65d9d9; color: #101114 }
    button:focus-visible, a:focus-visible { outline-color: #65d9d9 }
  }
`)

/** @param nonce of the styles, in the answer's content security policy. */
export function renderPlainPage({ title, nonce }: { title: string; nonce: string }, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Earshot</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`.markup
}
