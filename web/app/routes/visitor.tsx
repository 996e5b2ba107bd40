import VisitorScreen from '#web/features/visitors/visitor-screen.tsx'

export default VisitorScreen
