/** What a file turned out to be, or why it is refused: a sentence for the team. */
export type Verdict =
  | {
      readonly mime: string
      readonly width?: number
      readonly height?: number
      readonly durationMs?: number
    }
  | { readonly refusal: string }
