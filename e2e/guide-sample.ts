import type { Page } from '@playwright/test'

/** Text as the server renders it: tabs, a key in code, and a heading in a tab. */
const sample = `<div data-tabs>
<section data-tab="HTML"><p data-tab-name>HTML</p>
<div data-code="html"><pre tabindex="0"><code>&lt;script src="/e/<span data-key>YOUR_KEY</span>.js"&gt;&lt;/script&gt;
</code></pre></div></section>
<section data-tab="React"><p data-tab-name>React</p><h2 id="in-react"><a href="#in-react">In React</a></h2><p>A component.</p></section>
</div>
<p>And again:</p>
<div data-tabs>
<section data-tab="React"><p data-tab-name>React</p><p>The second for React.</p></section>
<section data-tab="Vue"><p data-tab-name>Vue</p><p>The second for Vue.</p></section>
</div>
`

/** Puts tabs and code with a key into a guide, on its public page and in the dashboard. */
export async function addSample(page: Page, path: string): Promise<void> {
  await page.route(`**/docs/guides/${path}`, async (route) => {
    const response = await route.fetch()
    const body = await response.text()
    if (response.headers()['content-type']?.startsWith('application/json')) {
      const guide = JSON.parse(body) as { html: string }
      await route.fulfill({ response, json: { ...guide, html: sample + guide.html } })
    } else {
      await route.fulfill({ response, body: body.replace(/<div class="prose[^"]*">/, (tag) => tag + sample) })
    }
  })
}
