import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icons.tsx'
import { strings } from './strings.ts'
import type { Phase } from './use-sending.ts'

interface ResultProps {
  phase: Phase & { kind: 'sent' | 'offline' }
  onDone(): void
  onAnother(): void
}

/** What became of it: arrived, with its number, or kept until the visitor is online. Takes the focus, to be read out. */
export function Result({ phase, onDone, onAnother }: ResultProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isSent = phase.kind === 'sent'
  // biome-ignore lint/correctness/useExhaustiveDependencies: read out again when what was kept has been sent
  useLayoutEffect(() => heading.current?.focus(), [isSent])
  return (
    <div class="result">
      <div class={`badge ${phase.kind}`}>
        <Icon name={isSent ? 'check' : 'offline'} size={28} />
      </div>
      <h3 ref={heading} tabIndex={-1}>
        {isSent ? (
          <>
            {strings.thanks} <span>{strings.receipt(phase.number)}</span>
          </>
        ) : (
          strings.offlineTitle
        )}
      </h3>
      <p>{isSent ? strings.receiptText : phase.durable ? strings.offlineKept : strings.offlineInMemory}</p>
      <div class="actions">
        <button type="button" class="plain" onClick={onAnother}>
          {strings.another}
        </button>
        <button type="button" class="send" onClick={onDone}>
          {strings.done}
        </button>
      </div>
    </div>
  )
}

/** Why it did not go, in the form, above the visitor's untouched text's send button. */
export function Failure({ phase, text }: { phase: Phase & { kind: 'failed' }; text: string }) {
  const [copied, setCopied] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  // On a small screen it and the button below would be out of sight.
  useEffect(() => box.current?.parentElement?.lastElementChild?.scrollIntoView({ block: 'nearest' }), [])
  const copy = async (event: MouseEvent) => {
    const button = event.currentTarget as HTMLElement
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      // Plain HTTP and some policies have no clipboard API; selecting the text lets the old command copy it.
      const root = button.getRootNode() as ShadowRoot
      root.querySelector('textarea')?.select()
      document.execCommand('copy')
    }
    setCopied(true)
  }
  return (
    <div ref={box} class="failure" role="alert">
      <Icon name="alert" />
      <div>
        <strong>{phase.title}</strong>
        <p dir="auto">{phase.reason}</p>
        <button type="button" class="quiet" onClick={copy}>
          {copied ? strings.copied : strings.copy}
        </button>
      </div>
    </div>
  )
}
