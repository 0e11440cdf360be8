import type { referenceForm as source } from '../en/reference-form.ts'
import type { Translation } from '../message.ts'

/** Forms of airports, airlines and aircraft types. */
export const referenceForm: Translation<typeof source> = {
  name: 'Nom',
  localCode: 'Code OACI ou local',
  localCodeHint: 'De 2 à 8 lettres, chiffres ou tirets. Doit être unique.',
  icao: 'Code OACI',
  airlineIcaoHint: 'Jusqu’à 3 lettres ou chiffres.',
  aircraftIcaoHint: 'De 2 à 4 lettres ou chiffres, par exemple A359.',
  iata: 'Code IATA',
  airportIataHint: '3 lettres ou chiffres. Facultatif.',
  airlineIataHint: '2 lettres ou chiffres.',
  city: 'Ville',
  country: 'Pays',
  chooseOne: 'Choisir',
  chooseCountry: 'Choisissez un pays.',
  continent: 'Continent',
  sameAsCountry: 'Celui du pays',
  chooseCountryFirst: 'Choisissez d’abord le pays.',
  latitude: 'Latitude',
  latitudeHint: 'En degrés, par exemple 47.458.',
  longitude: 'Longitude',
  longitudeHint: 'Négative à l’ouest.',
  notDegrees: 'Saisissez un nombre de degrés, par exemple 47.458.',
  timezone: 'Fuseau horaire',
  timezoneHint: 'Nom IANA, par exemple Europe/Zurich.',
  type: 'Type',
  validFrom: 'En service à partir du',
  validFromHint:
    'Facultatif. Les imports utilisent ces dates pour distinguer les aéroports et les compagnies qui partagent un code.',
  validUntil: 'En service jusqu’au',
  types: {
    large_airport: 'Grand aéroport',
    medium_airport: 'Aéroport moyen',
    small_airport: 'Petit aéroport',
    heliport: 'Héliport',
    seaplane_base: 'Hydrobase',
    balloonport: 'Aérodrome pour ballons',
    closed: 'Fermé',
  },
}
