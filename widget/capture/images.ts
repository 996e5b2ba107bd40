/** An image ready to be drawn. Rejects when the browser cannot or may not show it. */
export async function loadImage(address: string): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = address
  await image.decode()
  return image
}

export function createCanvas(width: number, height: number): readonly [HTMLCanvasElement, CanvasRenderingContext2D] {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  // A new canvas has a 2D context.
  return [canvas, canvas.getContext('2d') as CanvasRenderingContext2D]
}
