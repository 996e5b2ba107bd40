import VisitorsScreen from '#web/features/visitors/visitors-screen.tsx'

export function meta() {
  return [{ title: 'Visitors · Earshot' }]
}

export default VisitorsScreen
