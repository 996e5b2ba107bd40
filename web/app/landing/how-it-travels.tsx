const steps = [
  {
    title: 'Put one line on your page',
    text: 'A single script tag, and a small button appears. It keeps out of the way of your styles, your scripts and your security policy.',
  },
  {
    title: 'A visitor says it',
    text: 'In their own words, with a rating if they like. What they wrote is kept in their browser until your server has it safely: a lost connection loses nothing.',
  },
  {
    title: 'Your team takes it from there',
    text: 'New items appear in the inbox by themselves, with the page they are about. Filter, search, set status and priority; every change is remembered.',
  },
]

export function HowItTravels() {
  return (
    <section className="border-border border-y bg-surface">
      <ol className="mx-auto grid max-w-6xl gap-10 px-5 py-16 md:grid-cols-3 md:px-8">
        {steps.map(({ title, text }, index) => (
          <li key={title} className="flex flex-col gap-2">
            <span aria-hidden="true" className="font-semibold text-accent-text text-base tabular-nums">
              {index + 1}
            </span>
            <h2 className="font-semibold text-xl">{title}</h2>
            <p className="text-lg text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
