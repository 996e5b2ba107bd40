import Type from 'typebox'

/* Fields of the form that trackers have in common. */

/** Names that every new issue gets. */
export function labelField(title: 'Labels' | 'Tags', description: string) {
  return Type.Optional(Type.String({ title, description, examples: ['feedback'], maxLength: 500 }))
}

/** @param issue what the tracker calls one, with its article. */
export function automaticField(issue: string) {
  return Type.Optional(
    Type.Boolean({
      title: `Create ${issue} for every new item`,
      description: 'Of the items that the rules below name.',
      default: false,
    }),
  )
}

/** Names of a new issue's labels: those of the field, separated by commas, and more. */
export function listLabels(field: string | undefined, more: readonly string[]): string[] {
  const named = (field ?? '').split(',').flatMap((label) => label.trim() || [])
  return [...new Set([...named, ...more])]
}
