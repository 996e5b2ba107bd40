import { useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, ChevronDown, ChevronUp, Link2, X } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { closedReasonLabels, priorityLabels, statusLabels } from '#contract/feedback-labels.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { copyText } from '#web/ui/copy-text.ts'
import { toast } from '#web/ui/toast.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import { PriorityIcon, priorityColours, StatusIcon, statusColours } from '../feedback-icons.tsx'
import { startBugReport } from '../report/start-bug-report.ts'
import { type OpenMenu, PriorityMenu, StatusMenu } from './change-menus.tsx'
import { ItemMenus, ItemMoves } from './item-actions.tsx'
import type { ItemChange } from './item-change.ts'
import type { ShownItem } from './item-words.tsx'
import { PresentColleagues } from './presence.tsx'

export interface HeaderProps {
  organizationId: string
  id: string
  /** Undefined until anything of it is there. */
  item: ShownItem | undefined
  canChange: boolean
  menu: OpenMenu
  onMenu: (menu: OpenMenu) => void
  onChange: (item: ShownItem, change: ItemChange) => void
  /** Asks until when to snooze the item. */
  onPickTime: () => void
  onClose: () => void
  onNext: (() => void) | undefined
  onPrevious: (() => void) | undefined
  /** Where in the list it is: `3 of 20`; undefined: not in it. */
  position: string | undefined
}

/** What can be done with the open item, and the ways to its neighbours and back. */
export function DetailHeader(props: HeaderProps) {
  const { organizationId, id, item, canChange, onChange, onClose, onNext, onPrevious } = props
  const queryClient = useQueryClient()
  const copyLink = async () => {
    const isCopied = await copyText(window.location.href)
    toast(isCopied ? { title: 'Link copied', tone: 'success' } : { title: 'Couldn’t copy the link' })
  }
  return (
    <div
      data-keep-clear
      className="@container/header flex h-14 shrink-0 items-center gap-1.5 border-border border-b bg-surface px-2 max-[22rem]:gap-1 max-[22rem]:px-1 sm:px-4"
    >
      <Button variant="ghost" size="icon-sm" aria-label="Back to the list" onClick={onClose} className="lg:hidden">
        <ArrowLeft aria-hidden="true" />
      </Button>
      {item && <ItemControls {...props} item={item} />}
      <div className="ml-auto flex items-center">
        <PresentColleagues organizationId={organizationId} feedbackId={id} />
        {item && (
          <ItemMoves
            item={item}
            canChange={canChange}
            onChange={(change) => onChange(item, change)}
            onPickTime={props.onPickTime}
            onCopyLink={copyLink}
            onCopyReport={() => startBugReport(queryClient, organizationId, item.id)}
          />
        )}
        <IconButton label="Previous" keys="k" onPress={onPrevious}>
          <ChevronUp aria-hidden="true" />
        </IconButton>
        <IconButton label="Next" keys="j" onPress={onNext}>
          <ChevronDown aria-hidden="true" />
        </IconButton>
        <span className={cn('inline-flex', canChange && 'max-sm:hidden')}>
          <IconButton label="Copy link" onPress={copyLink}>
            <Link2 aria-hidden="true" />
          </IconButton>
        </span>
        <span className="hidden lg:inline-flex">
          <IconButton label="Close" keys="Esc" onPress={onClose}>
            <X aria-hidden="true" />
          </IconButton>
        </span>
      </div>
    </div>
  )
}

function ItemControls({
  item,
  canChange,
  menu,
  onMenu,
  onChange,
  onPickTime,
}: Pick<HeaderProps, 'canChange' | 'menu' | 'onMenu' | 'onChange' | 'onPickTime'> & { item: ShownItem }) {
  // A phone has room for the signs of what can be changed there, and says the words to those who listen.
  const label = cn('truncate', canChange && 'max-sm:sr-only')
  const status = (
    <>
      <StatusIcon status={item.status} />
      <span className={cn(label, statusColours[item.status])}>
        {item.closedReason ? closedReasonLabels[item.closedReason] : statusLabels[item.status]}
      </span>
    </>
  )
  const priority = (
    <>
      <PriorityIcon priority={item.priority} />
      <span className={cn(label, priorityColours[item.priority])}>{priorityLabels[item.priority]}</span>
    </>
  )
  if (!canChange) {
    return (
      <>
        <span className="flex min-w-0 items-center gap-2 px-2 text-base">{status}</span>
        <span className="flex min-w-0 items-center gap-2 px-2 text-base">{priority}</span>
      </>
    )
  }
  return (
    <>
      <StatusMenu
        status={item.status}
        closedReason={item.closedReason ?? null}
        open={menu === 'status'}
        onOpenChange={(open) => onMenu(open ? 'status' : undefined)}
        onChange={(change) => onChange(item, change)}
      >
        <MenuButton label="Status" keys="s">
          {status}
        </MenuButton>
      </StatusMenu>
      <PriorityMenu
        priority={item.priority}
        open={menu === 'priority'}
        onOpenChange={(open) => onMenu(open ? 'priority' : undefined)}
        onChange={(change) => onChange(item, change)}
      >
        <MenuButton label="Priority" keys="p">
          {priority}
        </MenuButton>
      </PriorityMenu>
      <ItemMenus
        item={item}
        menu={menu}
        onMenu={onMenu}
        onChange={(change) => onChange(item, change)}
        onPickTime={onPickTime}
      />
    </>
  )
}

/** Opens the menu around it. */
function MenuButton({ label, keys, children, ...props }: ComponentProps<'button'> & { label: string; keys: string }) {
  return (
    <Button
      variant="secondary"
      size="sm"
      className="min-w-0 shrink px-2.5"
      aria-keyshortcuts={keys}
      title={`${label} (${keys})`}
      {...props}
    >
      <span className="sr-only">{label}:</span>
      {children}
    </Button>
  )
}

function IconButton({
  label,
  keys,
  onPress,
  children,
}: {
  label: string
  keys?: string
  onPress: (() => void) | undefined
  children: ReactNode
}) {
  return (
    <Tooltip content={keys === undefined ? label : `${label} (${keys})`} side="bottom">
      <Button variant="ghost" size="icon-sm" aria-label={label} disabled={onPress === undefined} onClick={onPress}>
        {children}
      </Button>
    </Tooltip>
  )
}
