import type { Guide } from '#contract/docs.ts'

/** Deeper headings would make the table longer than the window. */
const deepestLevel = 3

/** The guide's table of contents. The script marks what is being read. */
export function GuideContents({ headings }: Pick<Guide, 'headings'>) {
  const listed = headings.filter(({ level }) => level <= deepestLevel)
  if (listed.length < 2) return null
  return (
    <nav data-contents aria-label="On this page" className="text-sm">
      <p className="mb-2 font-semibold">On this page</p>
      <ul className="flex flex-col border-border border-l">
        {listed.map(({ id, text, level }) => (
          <li key={id}>
            <a href={`#${encodeURIComponent(id)}`} data-level={level}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
