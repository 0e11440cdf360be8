import type { referenceForm as source } from '../en/reference-form.ts'
import type { Translation } from '../message.ts'

/** Forms of airports, airlines and aircraft types. */
export const referenceForm: Translation<typeof source> = {
  name: 'Nome',
  localCode: 'Código ICAO ou local',
  localCodeHint: 'De 2 a 8 letras, números ou hifens. Deve ser único.',
  icao: 'Código ICAO',
  airlineIcaoHint: 'Até 3 letras ou números.',
  aircraftIcaoHint: 'De 2 a 4 letras ou números, como A359.',
  iata: 'Código IATA',
  airportIataHint: '3 letras ou números. Opcional.',
  airlineIataHint: '2 letras ou números.',
  city: 'Cidade',
  country: 'País',
  chooseOne: 'Escolher',
  chooseCountry: 'Escolha um país.',
  continent: 'Continente',
  sameAsCountry: 'O mesmo do país',
  chooseCountryFirst: 'Escolha o país primeiro.',
  latitude: 'Latitude',
  latitudeHint: 'Em graus, como 47.458.',
  longitude: 'Longitude',
  longitudeHint: 'Oeste é negativo.',
  notDegrees: 'Deve ser um número de graus, como 47.458.',
  timezone: 'Fuso horário',
  timezoneHint: 'Nome da IANA, como Europe/Zurich.',
  type: 'Tipo',
  validFrom: 'Em operação desde',
  validFromHint:
    'Opcional. As importações usam estas datas para distinguir aeroportos e companhias aéreas com o mesmo código.',
  validUntil: 'Em operação até',
  types: {
    large_airport: 'Aeroporto grande',
    medium_airport: 'Aeroporto médio',
    small_airport: 'Aeroporto pequeno',
    heliport: 'Heliporto',
    seaplane_base: 'Base de hidroaviões',
    balloonport: 'Campo de balonismo',
    closed: 'Fechado',
  },
}
