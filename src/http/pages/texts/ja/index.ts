import { activity } from './activity.ts'
import { admin } from './admin.ts'
import { clocks } from './clocks.ts'
import { countries } from './countries.ts'
import { docs } from './docs.ts'
import { entities } from './entities.ts'
import { errors } from './errors.ts'
import { exportFlights } from './export.ts'
import { figures } from './figures.ts'
import { filter } from './filter.ts'
import { flightForm } from './flight-form.ts'
import { flightList } from './flight-list.ts'
import { flightParts } from './flight-parts.ts'
import { flights } from './flights.ts'
import { formats } from './formats.ts'
import { forms } from './forms.ts'
import { frame } from './frame.ts'
import { home } from './home.ts'
import { importFlights } from './import.ts'
import { map } from './map.ts'
import { messages } from './messages.ts'
import { navigation } from './navigation.ts'
import { oauth } from './oauth.ts'
import { offline } from './offline.ts'
import { punctuality } from './punctuality.ts'
import { referenceForm } from './reference-form.ts'
import { routeMap } from './route-map.ts'
import { scripts } from './scripts.ts'
import { seats } from './seats.ts'
import { security } from './security.ts'
import { settings } from './settings.ts'
import { shares } from './shares.ts'
import { signIn } from './sign-in.ts'
import { statistics } from './statistics.ts'
import { travelDocuments } from './travel-documents.ts'
import { trips } from './trips.ts'
import { year } from './year.ts'

export const ja = {
  activity,
  admin,
  clocks,
  countries,
  docs,
  entities,
  errors,
  exportFlights,
  figures,
  filter,
  flightForm,
  flightList,
  flightParts,
  flights,
  formats,
  forms,
  frame,
  home,
  importFlights,
  map,
  messages,
  navigation,
  oauth,
  offline,
  punctuality,
  referenceForm,
  routeMap,
  scripts,
  seats,
  security,
  settings,
  shares,
  signIn,
  statistics,
  travelDocuments,
  trips,
  year,
}
