import type { Facts } from '#server/testing/facts.ts'

const later = '2100-01-01T00:00:00.000Z'
/** Else it would refuse the calls of other routes. */
const undo = () => 'update app.read_only_periods set ended_at = now() where ended_at is null'

export const facts: Facts = {
  migrations: {
    '0056_maintenance.sql': '05f6af0453347ce5ddee93425c9cec6244949c57317cf3a88bc78a525231d978',
  },
  tables: {
    'app.read_only_periods': {
      rights: ['----', '----', '----', '----', 'siu-'],
      // Ended ones: tests over the whole product write.
      make: () => "insert into app.read_only_periods (turned_on_by, ended_at) values ('made', now())",
      row: () => "turned_on_by = 'made'",
      change: "message = 'changed'",
      add: () => "(turned_on_by, ended_at) values ('tried', now())",
    },
  },
  functions: { 'app.announce_read_only()': [] },
  routes: {
    turnOnReadOnly: { body: () => ({ message: 'A larger disk.', endsAt: later }), undo },
    turnOffReadOnly: { undo },
  },
}
