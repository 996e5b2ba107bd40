import TestWidgetScreen from '#web/features/widget/test-widget-screen.tsx'

export function meta() {
  return [{ title: 'Test the widget · Earshot' }]
}

export default TestWidgetScreen
