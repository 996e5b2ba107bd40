import Type, { type TNull, type TSchema, type TUnion } from 'typebox'

/** A value of this shape, or null. */
export function nullable<Schema extends TSchema>(schema: Schema): TUnion<[Schema, TNull]> {
  return Type.Union([schema, Type.Null()])
}
