/**
 * What a page's Content-Security-Policy must allow for the widget, as directives of one line. Sources are added to those
 * that the page has already. Styles need none: the widget uses constructed style sheets.
 *
 * @param appOrigin origin that the widget is loaded from, such as `https://earshot.example`
 */
export function buildWidgetPolicy(appOrigin: string): string {
  return [
    // The widget and the parts that it loads when they are used.
    `script-src ${appOrigin}`,
    // Feedback, files and replies.
    `connect-src ${appOrigin}`,
    // Previews of attached pictures (blob:), and the drawing of a screenshot (data:).
    'img-src blob: data:',
    // Playback of recordings before they are sent.
    'media-src blob:',
  ].join('; ')
}
