interface Answer {
  readonly question: string
  readonly answer: string
}

const afterwards: readonly Answer[] = [
  {
    question: 'Over the limit of a plan',
    answer:
      'Feedback is still accepted and stored, but locked. Owners get an email at 80, 90 and 100 %. A larger plan unlocks it within seconds. At the limit of projects or members, no more can be added.',
  },
  {
    question: 'After the trial, without a plan',
    answer:
      'Your team can still read and export all feedback received so far. New feedback is stored and locked until you choose a plan.',
  },
]

const questions: readonly Answer[] = [
  {
    question: 'What does the trial include?',
    answer: 'Every feature, without limits, for 14 days. It needs no card, and it ends by itself.',
  },
  {
    question: 'Who counts as a member?',
    answer: 'Owners, admins, members and open invitations. Viewers never count.',
  },
  {
    question: 'Can I change my plan?',
    answer:
      'Yes, at any time. You see what it costs before you confirm. A larger plan starts at once, and you pay the difference. With a smaller one, the rest of the paid period is credited to later invoices.',
  },
  {
    question: 'Can I cancel?',
    answer: 'Yes, at any time. You keep the plan until the end of the paid period, and nothing is deleted.',
  },
  {
    question: 'How do I pay?',
    answer: 'On a page of Stripe, our payment provider. Card numbers never reach Earshot.',
  },
  {
    question: 'Can I host Earshot myself?',
    answer: 'Yes, for free. It is open source. Your own instance has no trial, no limits and every feature.',
  },
]

/** What people ask before they pay. */
export function PricingAnswers() {
  return (
    <>
      <Answers title="No feedback is lost" answers={afterwards} />
      <Answers title="Questions" answers={questions} />
    </>
  )
}

function Answers({ title, answers }: { title: string; answers: readonly Answer[] }) {
  return (
    <section className="flex flex-col gap-6">
      <h2 className="font-semibold text-2xl">{title}</h2>
      <dl className="grid gap-x-10 gap-y-7 md:grid-cols-2">
        {answers.map(({ question, answer }) => (
          <div key={question} className="flex flex-col gap-1 text-base">
            <dt className="font-medium">{question}</dt>
            <dd className="max-w-prose text-muted">{answer}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
