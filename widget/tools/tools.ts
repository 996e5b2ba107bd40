import type { ToolsModule } from '../panel/state.ts'
import { viewAttached } from './attached.tsx'
import { addFiles, restore, takePicture, toggleReplay } from './attaching.ts'
import { announce } from './recorder.tsx'
import { record } from './recording.ts'
import css from './tools.css'

export { addFiles, announce, css, record, restore, takePicture, toggleReplay, viewAttached }

;({ css, addFiles, takePicture, record, toggleReplay, restore, viewAttached, announce }) satisfies ToolsModule
