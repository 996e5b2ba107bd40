import { WidgetInstall } from '#web/features/projects/widget-install.tsx'
import WidgetScreen from '#web/features/widget/widget-screen.tsx'

export default function Widget() {
  return <WidgetScreen installation={<WidgetInstall />} />
}
