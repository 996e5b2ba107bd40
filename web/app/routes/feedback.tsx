import FeedbackScreen from '#web/features/feedback/inbox/feedback-screen.tsx'

export function meta() {
  return [{ title: 'Feedback · Earshot' }]
}

export default FeedbackScreen
