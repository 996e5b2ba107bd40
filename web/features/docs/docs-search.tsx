import { longestDocsQuery } from '#contract/docs.ts'
import { Input } from '#web/ui/input.tsx'
import { Kbd } from '#web/ui/kbd.tsx'
import './docs.css'

/** The search box of the documentation. `in-page/search-box.ts` makes it work, on public pages without React. */
export function DocsSearch() {
  return (
    <search data-docs-search data-needs-script className="docs-search relative block">
      <Input
        type="search"
        role="combobox"
        aria-label="Search the guides"
        aria-expanded="false"
        aria-controls="docs-results"
        aria-autocomplete="list"
        aria-keyshortcuts="/"
        autoComplete="off"
        spellCheck={false}
        maxLength={longestDocsQuery}
        placeholder="Search the guides"
        className="pr-9"
      />
      <Kbd aria-hidden="true" className="pointer-events-none absolute top-2 right-2">
        /
      </Kbd>
      <div hidden className="docs-results rounded-lg border border-border bg-raised p-1.5 shadow-lg">
        <div role="listbox" id="docs-results" aria-label="Results" />
        <p data-note hidden className="px-3 py-2 text-base text-muted" />
      </div>
      <output className="sr-only" />
    </search>
  )
}
