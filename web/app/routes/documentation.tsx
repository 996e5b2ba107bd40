import { useParams } from 'react-router'
import { DocumentationScreen } from '#web/features/docs/documentation-screen.tsx'

export function meta() {
  return [{ title: 'Documentation · Earshot' }]
}

export default function DocumentationRoute() {
  const { path = '' } = useParams()
  return <DocumentationScreen path={path} />
}
