import { CirclePause, CirclePlay, History, KeyRound, MoreHorizontal, Pencil, Send, Unplug } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Integration, IntegrationType } from '#contract/integrations.ts'
import { Button } from '#web/ui/button.tsx'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '#web/ui/menu.tsx'
import { ReplayDialog } from './deliveries/replay-dialog.tsx'
import { DisconnectDialog } from './disconnect-dialog.tsx'
import { RotateSecretDialog } from './rotate-secret-dialog.tsx'
import type { useTest } from './send-test.tsx'
import { useStateChange } from './use-integration.tsx'

interface ActionsProps {
  integration: Integration
  service: IntegrationType | undefined
  test: ReturnType<typeof useTest>
}

/** Test, pause and edit in view; the rest in a menu. */
export function IntegrationActions({ integration, service, test }: ActionsProps) {
  const [open, setOpen] = useState<'rotate' | 'replay' | 'disconnect'>()
  const close = () => setOpen(undefined)
  // An App on GitHub has a secret of its own, which is replaced there.
  const hasSecret = service?.isSigned === true && !integration.storedSecrets.includes('app')
  const isRunning = integration.state === 'active' || integration.state === 'failing'
  return (
    // A toast about a pause would otherwise lie over the button that ends it.
    <div data-keep-clear className="flex flex-wrap gap-2">
      {service && (
        <Button asChild variant="secondary" className="max-sm:px-3">
          <Link to={`/dashboard/integrations/${integration.id}/edit`}>
            <Pencil aria-hidden="true" />
            Edit
          </Link>
        </Button>
      )}
      <StateButton integration={integration} />
      <Button
        className="max-sm:px-3"
        variant={isRunning ? 'primary' : 'secondary'}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        <Send aria-hidden="true" />
        Send test
      </Button>
      <Menu>
        <MenuTrigger asChild>
          <Button variant="secondary" size="icon" aria-label="More actions">
            <MoreHorizontal aria-hidden="true" />
          </Button>
        </MenuTrigger>
        <MenuContent align="end">
          {isRunning && (
            <MenuItem onSelect={() => setOpen('replay')}>
              <History aria-hidden="true" />
              Replay events
            </MenuItem>
          )}
          {hasSecret && (
            <MenuItem onSelect={() => setOpen('rotate')}>
              <KeyRound aria-hidden="true" />
              Replace signing secret
            </MenuItem>
          )}
          {(isRunning || hasSecret) && <MenuSeparator />}
          <MenuItem onSelect={() => setOpen('disconnect')}>
            <Unplug aria-hidden="true" />
            Disconnect
          </MenuItem>
        </MenuContent>
      </Menu>
      {open === 'replay' && <ReplayDialog integration={integration} onClose={close} />}
      {open === 'rotate' && <RotateSecretDialog integration={integration} onClose={close} />}
      {open === 'disconnect' && <DisconnectDialog integration={integration} onClose={close} />}
    </div>
  )
}

function StateButton({ integration }: { integration: Integration }) {
  const { change, isPending } = useStateChange(integration)
  const { state } = integration
  if (state === 'active' || state === 'failing') {
    return (
      <Button variant="secondary" className="max-sm:px-3" loading={isPending} onClick={() => change('paused')}>
        <CirclePause aria-hidden="true" />
        Pause
      </Button>
    )
  }
  return (
    <Button className="max-sm:px-3" loading={isPending} onClick={() => change('active')}>
      <CirclePlay aria-hidden="true" />
      {state === 'paused' ? 'Resume' : 'Enable'}
    </Button>
  )
}
