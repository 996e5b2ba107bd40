/** What somebody began to write and has not sent. */
export interface UnsentText {
  /** What it is, e.g. `Reply in #12`. */
  readonly label: string
  readonly text: string
}

/** By a name of the writer's own choice, as long as the page lives: going elsewhere and back loses nothing. */
const unsent = new Map<string, UnsentText>()

/** What was kept under the name; only who keeps it knows what it is beside its text. */
export function findUnsent<Kept extends UnsentText>(name: string): Kept | undefined {
  return unsent.get(name) as Kept | undefined
}

/** Keeps a text until it is sent; one that is blank is forgotten. */
export function keepUnsent(name: string, kept: UnsentText): void {
  if (kept.text.trim() === '') unsent.delete(name)
  else unsent.set(name, kept)
}

/** Everything that is not sent, in the order in which it was begun. */
export function listUnsent(): UnsentText[] {
  return [...unsent.values()]
}

/** Forgets all: what one person wrote is not for the next. */
export function forgetUnsent(): void {
  unsent.clear()
}
