/* What draws everything that opens above a page. Loaded by late-overlays.ts alone. */
export { DropdownMenu, Popover } from 'radix-ui'
export { DialogWindow } from './dialog-window.tsx'
export { PickList } from './pick-list.tsx'
export { SheetWindow } from './sheet-window.tsx'
export { ToastWindow } from './toast-window.tsx'
export { TooltipWindows } from './tooltip-windows.tsx'
