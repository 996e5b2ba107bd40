const headBytes = 65_536
/** Types that the contract lists, under all their names, besides text. A test compares. */
const kept =
  /^(image\/(png|jpeg|webp|gif|avif)|(audio|video)\/(webm|ogg|mp4|x-m4|m4a)|audio\/(mp|opus|.*wav)|application\/(pdf|(x-)?zip))/
const program = /\.(exe|com|dll|msi|scr|apk|dmg|pkg|jar)$/i
// Bytes that are not UTF-8 become U+FFFD, as does a character that is cut at the end of the head.
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that tell other bytes from text
const noText = /[\0-\b\v\x0E-\x1A\x1C-\x1F]|\uFFFD(?!$)|^\s*<(!|\?xml|html|head|body|script|svg)/i

/**
 * Whether the server will keep a file, as far as its name, its type and its beginning show: a kept type, or text. The
 * server looks at all of the content, and may still refuse it.
 */
export async function isKept(file: File): Promise<boolean> {
  if (!file.size || program.test(file.name)) return false
  return kept.test(file.type) || !noText.test(await file.slice(0, headBytes).text())
}
