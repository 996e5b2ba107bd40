type Attributes = Readonly<Record<string, string | number>>

const createIn =
  (language: string) =>
  (name: string, attributes: Attributes, ...children: (Node | string)[]): Element => {
    const element = document.createElementNS(`http://www.w3.org/${language}`, name)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, `${value}`)
    element.append(...children)
    return element
  }

// Elements of this namespace are SVG elements; below, HTML elements.
export const svg = createIn('2000/svg') as (...of: Parameters<ReturnType<typeof createIn>>) => SVGElement
// Elements of this namespace are HTML elements.
export const html = createIn('1999/xhtml') as (...of: Parameters<ReturnType<typeof createIn>>) => HTMLElement

export const createCanvas = (width: number, height: number): [HTMLCanvasElement, CanvasRenderingContext2D] => {
  // `html` knows no tag's own type.
  const canvas = html('canvas', { width, height }) as HTMLCanvasElement
  // A new canvas has a 2D context.
  return [canvas, canvas.getContext('2d') as CanvasRenderingContext2D]
}
