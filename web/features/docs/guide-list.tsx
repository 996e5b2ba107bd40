import { type ReactNode, useId } from 'react'
import type { GuideSummary } from '#contract/docs.ts'

type ListedGuide = Pick<GuideSummary, 'path' | 'title' | 'section'>

/** All guides by section, as links. */
export function GuideList({
  guides,
  current,
  renderLink,
}: {
  guides: readonly ListedGuide[]
  /** The path of the guide in view. */
  current: string
  renderLink: (path: string, props: { children: ReactNode; 'aria-current'?: 'page' }) => ReactNode
}) {
  const prefix = useId()
  return (
    <div className="docs-list flex flex-col gap-6 text-base">
      {[...Map.groupBy(guides, ({ section }) => section)].map(([section, listed], index) => (
        <div key={section}>
          <p id={`${prefix}${index}`} className="mb-1.5 px-2.5 font-semibold text-sm">
            {section}
          </p>
          <ul aria-labelledby={`${prefix}${index}`} className="flex flex-col">
            {listed.map(({ path, title }) => (
              <li key={path}>
                {renderLink(path, { children: title, ...(path === current && { 'aria-current': 'page' as const }) })}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}
