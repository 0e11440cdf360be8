import { isCalendarDay } from '../lib/dates.ts'
import { Refusal } from '../lib/refusal.ts'
import { type Command, printJson, TEXT, UsageError } from './command.ts'
import { withServices } from './with-services.ts'

export const activityCommand: Command = {
  name: 'activity',
  usage: '[--username NAME] [--since DATE]',
  summary: 'Print who did what, oldest first',
  details:
    'With --username what that user did and what concerns them, also failed sign-ins under that name and what is left of an account that was deleted; with --since what happened on that day (UTC) and after it. Entries are kept for 400 days, the newest 200,000 of them.',
  options: { username: TEXT, since: TEXT },
  run: (call) => {
    const username = call.option('username')
    const since = call.option('since')
    if (since !== undefined && !isCalendarDay(since)) throw new UsageError('--since must be a day, as 2026-03-01.')
    const from = since === undefined ? 0 : Date.parse(since)
    return withServices(call.config(), (services) => {
      const { activity, users } = services
      const person = username === undefined ? undefined : (users.findByName(username) ?? activity.formerly(username))
      let isKnown = person?.id !== ''
      for (const entry of activity.history(from, person)) {
        printJson(entry)
        isKnown = true
      }
      if (!isKnown) throw new Refusal(`There is no user ${username}, and nothing is known of one.`)
    })
  },
}
