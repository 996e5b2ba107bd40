/** Style sheets are bundled as minified text: a host page's CSP may forbid style elements, never constructed sheets. */
declare module '*.css' {
  const css: string
  export default css
}
