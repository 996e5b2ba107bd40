import type { RatingScale } from '#contract/value-mapping.ts'
import { toPlainWord } from './foreign-words.ts'

const best = 5
/** Marks of German schools: 1 is the best, 6 the worst. */
const worstGrade = 6
const largestScale = 100

// After the first digit of `2 stars`, in the languages of the widget.
const starWords = new Set(
  'star stars stern sterne sternen etoile etoiles estrella estrellas stella stelle estrela estrelas ster sterren gwiazdka gwiazdki gwiazdek stjarna stjarnor 星 نجوم כוכבים'
    .split(' ')
    .map(toPlainWord),
)
const fraction = /^(\d{1,3})(?:[.,]0+)?\s*(?:\/|von|of|out of|sur|de|su|van|z|av|из)\s*(\d{1,3})(?:\s+\p{L}+)?$/iu

/**
 * A rating from 1 to 5: `4`, `4.0`, `2/5`, `2 von 5`, `8/10`, `2 stars`, `★★☆☆☆`. With the scale `school_grade`, a German
 * mark from 1 (best) to 6, such as `2`, `2-` or `2,3`. Undefined when the text is none.
 */
export function parseRating(text: string, scale: RatingScale = 'stars'): number | undefined {
  return scale === 'school_grade' ? parseGrade(text) : parseStars(text)
}

function parseStars(text: string): number | undefined {
  const whole = /^(\d{1,2})(?:[.,]0+)?$/.exec(text)
  if (whole) return inRange(Number(whole[1]))
  const [, part, scale] = fraction.exec(text) ?? []
  if (part !== undefined && scale !== undefined) return scaleDown(Number(part), Number(scale))
  const symbols = text.replaceAll(/\s|\ufe0f/g, '')
  if (/^[★⭐]+☆*$/u.test(symbols)) return inRange([...symbols].filter((symbol) => symbol !== '☆').length)
  const [, count, word] = /^(\d)\s*(\p{L}+)$/u.exec(text) ?? []
  return count !== undefined && starWords.has(toPlainWord(word ?? '')) ? inRange(Number(count)) : undefined
}

/** `8/10` is a 4: the nearest of five steps, at least the first. Zero of anything is no rating. */
function scaleDown(part: number, scale: number): number | undefined {
  if (part < 1 || part > scale || scale < 2 || scale > largestScale) return undefined
  return Math.max(1, Math.round((part / scale) * best))
}

function parseGrade(text: string): number | undefined {
  const [, digits] = /^([1-6](?:[.,]\d{1,2})?)\s*[+-]?$/.exec(text) ?? []
  if (digits === undefined) return undefined
  const grade = Math.round(Number(digits.replace(',', '.')))
  return grade > worstGrade ? undefined : Math.max(1, worstGrade - grade)
}

function inRange(stars: number): number | undefined {
  return stars >= 1 && stars <= best ? stars : undefined
}
