import { X } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '#web/ui/button.tsx'
import { padTarget, placeTooltip, tooltipWidth } from './place-tooltip.ts'
import { rememberTour } from './remember-tour.ts'
import { welcomeSteps } from './tour-steps.ts'
import { useTargetBox } from './use-target-box.ts'

/** SPEC.md, section 9: after a screen was opened, the next step follows. */
const advanceMs = 500

/**
 * The tour `welcome`. The page stays within reach, by pointer, keyboard and screen reader; the focus begins at each step and
 * returns to where it was.
 */
export default function Tour({ onOpenChange }: { onOpenChange: (open: boolean) => void }) {
  const [index, setIndex] = useState(0)
  const [isOpening, setOpening] = useState(false)
  const navigate = useNavigate()
  const step = welcomeSteps[index]
  useGivenBackFocus()
  // Begun is seen: someone who closes the browser in the middle is not offered it again.
  useEffect(() => rememberTour('welcome'), [])
  const end = () => onOpenChange(false)
  useEscape(end)
  useEffect(() => {
    if (!isOpening) return
    const timer = setTimeout(() => {
      setOpening(false)
      setIndex((before) => before + 1)
    }, advanceMs)
    return () => clearTimeout(timer)
  }, [isOpening])
  if (!step) return null

  const goOn = () => {
    if (index === welcomeSteps.length - 1) return end()
    if (step.opens === undefined) return setIndex(index + 1)
    void navigate(step.opens)
    setOpening(true)
  }
  return (
    <TourTooltip
      key={step.id}
      {...step}
      place={`Step ${index + 1} of ${welcomeSteps.length}`}
      isOpening={isOpening}
      onBack={index === 0 ? undefined : () => setIndex(index - 1)}
      onNext={goOn}
      onEnd={end}
    />
  )
}

interface TourTooltipProps {
  title: string
  text: string
  target?: string
  next: string
  place: string
  isOpening: boolean
  /** Undefined: there is no step before. */
  onBack: (() => void) | undefined
  onNext: () => void
  onEnd: () => void
}

function TourTooltip({ title, text, target, next, place, isOpening, onBack, onNext, onEnd }: TourTooltipProps) {
  const id = useId()
  const tooltip = useRef<HTMLDivElement>(null)
  const { box, view } = useTargetBox(target)
  const [height, setHeight] = useState(0)
  const width = Math.min(tooltipWidth, view.width - 24)
  useLayoutEffect(() => setHeight(tooltip.current?.offsetHeight ?? 0), [])
  useEffect(() => tooltip.current?.focus({ preventScroll: true }), [])
  const around = box && padTarget(box)
  return (
    <>
      {around && (
        <div
          aria-hidden="true"
          className="pointer-events-none fixed z-40 rounded-lg ring-2 ring-accent"
          style={around}
        />
      )}
      <div
        ref={tooltip}
        role="dialog"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-text`}
        tabIndex={-1}
        className="animate-fade fixed z-50 flex flex-col gap-3 rounded-xl border border-border bg-raised p-5 shadow-lg outline-none focus-visible:outline-2 focus-visible:outline-ring"
        style={{ width, ...placeTooltip(around, { width, height }, view) }}
      >
        <div className="flex items-start justify-between gap-3">
          <div className="flex flex-col gap-0.5">
            <p className="text-muted text-sm tabular-nums">{place}</p>
            <h2 id={`${id}-title`} className="font-semibold text-lg">
              {title}
            </h2>
          </div>
          <Button variant="ghost" size="icon-sm" aria-label="Close tour" onClick={onEnd} className="-mt-1 -mr-1.5">
            <X aria-hidden="true" />
          </Button>
        </div>
        <p id={`${id}-text`} className="text-base text-muted">
          {text}
        </p>
        <div className="flex items-center gap-2">
          {next !== 'Finish' && (
            <Button variant="link" size="sm" onClick={onEnd} className="mr-auto">
              Skip Tour
            </Button>
          )}
          <span className="ml-auto flex gap-2">
            {onBack && (
              <Button variant="secondary" size="sm" onClick={onBack}>
                Back
              </Button>
            )}
            <Button size="sm" loading={isOpening} onClick={onNext}>
              {next}
            </Button>
          </span>
        </div>
      </div>
    </>
  )
}

/** When the tour is over, the focus is where it was before, if that is still there. */
function useGivenBackFocus(): void {
  useEffect(() => {
    const before = document.activeElement
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
}

function useEscape(end: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      event.preventDefault()
      end()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  })
}
