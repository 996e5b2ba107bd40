import { type GuideSummary, guideSections } from '#contract/docs.ts'

/** The documentation as a list for programs that read, as https://llmstxt.org describes it. */
export function writeLlmsTxt(guides: readonly GuideSummary[], appUrl: string): string {
  const others = guides.map(({ section }) => section)
  const sections = [...new Set<string>([...guideSections, ...others])].flatMap((section) => {
    const lines = guides
      .filter((guide) => guide.section === section)
      .map(({ path, title, description }) => `- [${title}](${appUrl}/docs/guides/${path}.md): ${description}`)
    return lines.length === 0 ? [] : [`## ${section}\n\n${lines.join('\n')}`]
  })
  return [
    '# Earshot',
    '> Earshot collects feedback from the visitors of a website: text, ratings, screenshots, voice notes and screen ' +
      'recordings, with the page and the browser they came from, in one inbox for the team. It is open source and self-hosted.',
    `Each guide below is Markdown. The API is described at ${appUrl}/api/v1/openapi.json.`,
    ...sections,
    '',
  ].join('\n\n')
}
