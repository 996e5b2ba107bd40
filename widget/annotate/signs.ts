const disc = 'M12 4a8 8 0 1 0 .1 0'

/**
 * All buttons in order, by the name of their text or by colour, with the path of their icon. Buttons without an icon
 * show their text.
 */
export const signs: Readonly<Record<string, string>> = {
  cancel: '',
  undo: 'M9 5 4 10l5 5M4 10h10q6 0 6 9',
  redo: 'M15 5l5 5-5 5M20 10H10q-6 0-6 9',
  delete: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13',
  zoomOut: 'M5 12h14',
  zoomIn: 'M5 12h14M12 5v14',
  save: '',
  arrow: 'M5 19 19 5M9 5h10v10',
  pen: 'M4 20l1-5L16 4l4 4L9 19z',
  box: 'M4 6h16v12H4z',
  text: 'M5 7V5h14v2M12 5v14',
  highlight: 'M4 20h16M7 15l1-4 8-8 4 4-8 8z',
  blur: 'M12 3q6 7 6 11a6 6 0 0 1-12 0q0-4 6-11',
  blackout: 'M4 7h16v2H4v2h16v2H4v2h16v2H4z',
  crop: 'M7 2v15h15M2 7h15v15',
  // Red, yellow, green, blue and black, in the order of their names in the texts.
  '#e5484d': disc,
  '#ffc53d': disc,
  '#30a46c': disc,
  '#0090ff': disc,
  '#111111': disc,
}
/** Numbers of buttons in the toolbar's first row, and of tools after them, which show their names. */
export const [firstRow, tools] = [7, 8]
