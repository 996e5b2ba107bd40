/** Makes declarations win over every style sheet. */
export const force = (css: string): string => css.replace(/;/g, '!important;')

/** `all`, and the properties that it does not reset. */
export const reset = 'all:initial;direction:ltr;unicode-bidi:normal;'
