import { isCalendarDay } from '../lib/dates.ts'
import { StartupError } from '../lib/startup-error.ts'
import { type Command, printJson, TEXT, UsageError } from './command.ts'
import { withServices } from './with-services.ts'

export const activityCommand: Command = {
  name: 'activity',
  usage: '[--username NAME] [--since DATE]',
  summary: 'Print the activity log, oldest first',
  details:
    '--username prints entries by or about that user, including failed sign-ins and deleted accounts of that name. --since prints entries from that day (UTC). Entries are kept for 400 days, at most 200,000 of them.',
  options: { username: TEXT, since: TEXT },
  run: (call) => {
    const username = call.option('username')
    const since = call.option('since')
    if (since !== undefined && !isCalendarDay(since)) throw new UsageError('--since must be a day, such as 2026-03-01.')
    const from = since === undefined ? 0 : Date.parse(since)
    return withServices(call.config(), (services) => {
      const { activity, users } = services
      const person = username === undefined ? undefined : (users.findByName(username) ?? activity.formerly(username))
      let isKnown = person?.id !== ''
      for (const entry of activity.history(from, person)) {
        printJson(entry)
        isKnown = true
      }
      if (!isKnown)
        throw new StartupError(`User ${username} not found, and the activity log has no entries for that name.`)
    })
  },
}
