import AnalyticsScreen from '#web/features/analytics/analytics-screen.tsx'

export function meta() {
  return [{ title: 'Analytics · Earshot' }]
}

export default AnalyticsScreen
