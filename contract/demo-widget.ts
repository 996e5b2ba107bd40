/** Key of the widget on the landing page. Projects have longer keys, so that none can have this one. */
export const demoWidgetKey = 'wk_demo'
