import VisitorScreen from '#web/features/visitors/visitor-screen.tsx'

export function meta() {
  return [{ title: 'Visitor · Earshot' }]
}

export default VisitorScreen
