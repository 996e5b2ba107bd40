const steps = [
  {
    title: 'Add one line to your site',
    // Measured: bench/README.md, loader.
    text: 'A single script tag shows a small button: 2 kB before a click. It works under a strict content security policy and keeps clear of your styles and scripts.',
  },
  {
    title: 'A visitor sends feedback',
    text: 'The browser keeps it until your server has stored it. A lost connection or a closed tab loses nothing.',
  },
  {
    title: 'Your team answers',
    text: 'New items appear in the inbox at once, with their page, browser and console. Assign, tag, search and reply by email.',
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
