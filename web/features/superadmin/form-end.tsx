import { Button } from '#web/ui/button.tsx'

/** The end of a form in a dialog: its error, and its buttons. */
export function FormEnd({
  action,
  error,
  isPending,
  isDangerous = false,
  onCancel,
}: {
  action: string
  error: string | undefined
  isPending: boolean
  isDangerous?: boolean
  onCancel: () => void
}) {
  return (
    <>
      {error !== undefined && (
        <p role="alert" className="text-base text-danger-text">
          {error}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant={isDangerous ? 'danger' : 'primary'} loading={isPending}>
          {action}
        </Button>
      </div>
    </>
  )
}
