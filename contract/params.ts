import Type from 'typebox'
import { Uuid } from './text.ts'

/** Path parameters that routes of several nouns share. */
export const OrganizationParams = Type.Object({ organizationId: Uuid })
export const ProjectParams = Type.Object({ organizationId: Uuid, projectId: Uuid })
export const FeedbackParams = Type.Object({ organizationId: Uuid, feedbackId: Uuid })
/** The token of a link that works without sign-in. No token is longer than 100 characters. */
export const TokenParams = Type.Object({ token: Type.String({ minLength: 1, maxLength: 100 }) })
