/** Style sheets are bundled as minified text: a host page's CSP may forbid style elements, never constructed sheets. */
declare module '*.css' {
  const css: string
  export default css
}

/** File name of the transport stage, put in by the build: it lies beside the panel. */
declare const transportFile: string
