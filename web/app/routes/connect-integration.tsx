import ConnectScreen from '#web/features/integrations/connect/connect-screen.tsx'

export default ConnectScreen
