import Type, { type Static } from 'typebox'

/** The largest accepted picture of a person or organisation, in bytes; the browser scales it down first. */
export const maxPictureBytes = 102_400

/** A small picture in a request. SVG is excluded: it can run scripts. */
export const NewPicture = Type.Object(
  {
    mime: Type.Enum(['image/webp', 'image/png', 'image/jpeg']),
    /** The picture's bytes in base64. */
    data: Type.String({ minLength: 4, maxLength: Math.ceil(maxPictureBytes / 3) * 4 }),
  },
  { additionalProperties: false },
)
export type NewPicture = Static<typeof NewPicture>
