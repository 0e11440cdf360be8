import { fold } from '../../../lib/text.ts'

/**
 * The headers of each field as `headerKey` returns them, in the order of contract 17.6. The preferred ones come first:
 * "Departure" may be an airport if there is a "Departure time".
 */
const headers = {
  date: `date flight_date date_of_flight departure_date dep_date flightdate travel_date day
    datum flugdatum reisedatum abflugdatum abflugtag date_du_vol date_de_vol date_depart date_de_depart
    fecha fecha_de_vuelo fecha_del_vuelo fecha_de_salida fecha_salida data data_volo data_del_volo data_di_partenza
    data_partenza data_do_voo data_de_partida data_partida data_voo`,
  from: `from origin from_airport departure_airport dep_airport origin_airport from_code from_iata from_icao origin_code
    origin_iata origin_icao departure_airport_code departure_iata departure_icao dep_iata dep_icao departure_code
    airport_from from_city departure_city origin_city orig
    von ab startflughafen abflughafen abflugort abflug_flughafen startort
    de depuis aeroport_de_depart aeroport_depart origine provenance
    desde origen aeropuerto_de_origen aeropuerto_origen aeropuerto_de_salida aeropuerto_salida
    da origine_volo aeroporto_di_partenza aeroporto_partenza
    origem aeroporto_de_origem aeroporto_origem aeroporto_de_partida`,
  to: `to destination to_airport arrival_airport arr_airport destination_airport to_code to_iata to_icao destination_code
    destination_iata destination_icao arrival_airport_code arrival_iata arrival_icao arr_iata arr_icao arrival_code
    airport_to to_city arrival_city destination_city dest
    nach zielflughafen ankunftsflughafen ankunft_flughafen ankunftsort zielort ziel
    vers aeroport_d_arrivee aeroport_arrivee
    hasta hacia destino aeropuerto_de_destino aeropuerto_destino aeropuerto_de_llegada aeropuerto_llegada
    a destinazione aeroporto_di_arrivo aeroporto_arrivo aeroporto_di_destinazione
    para aeroporto_de_destino aeroporto_destino aeroporto_de_chegada`,
  departure: `departure_time dep_time time_departure time_of_departure departure_time_local local_departure
    departure_local actual_departure scheduled_departure std atd off_block departure departed departs depart dep
    abflugzeit abflug_zeit startzeit abfahrt abflug heure_de_depart heure_depart hora_de_salida hora_salida salida
    ora_di_partenza ora_partenza orario_di_partenza partenza hora_de_partida hora_partida partida`,
  arrival: `arrival_time arr_time time_arrival time_of_arrival arrival_time_local local_arrival
    arrival_local actual_arrival scheduled_arrival sta ata on_block arrival arrived arrives arrive arr
    ankunftszeit ankunft_zeit landezeit ankunft heure_d_arrivee heure_arrivee arrivee
    hora_de_llegada hora_llegada llegada ora_di_arrivo ora_arrivo orario_di_arrivo arrivo
    hora_de_chegada hora_chegada chegada`,
  arrivalDate: `arrival_date arr_date date_of_arrival arrivaldate landing_date
    ankunftsdatum ankunftstag date_d_arrivee date_arrivee fecha_de_llegada fecha_llegada
    data_di_arrivo data_arrivo data_de_chegada data_chegada`,
  flightNumber: `flight_number flight_no flightnumber flight_num flightnum flight flight_code flight_nr number
    flugnummer flug_nr flugnr flug numero_de_vol numero_vol vol n_de_vol n_vol no_de_vol no_vol
    numero_de_vuelo numero_vuelo vuelo n_de_vuelo n_vuelo no_de_vuelo
    numero_di_volo numero_volo numero_del_volo volo n_volo numero_do_voo numero_de_voo numero_voo voo n_voo n_do_voo`,
  airline: `airline airline_name carrier operator airline_code carrier_code operating_airline
    fluggesellschaft airline_fluggesellschaft compagnie compagnie_aerienne aerolinea compania_aerea
    compagnia compagnia_aerea companhia companhia_aerea`,
  aircraft: `aircraft aircraft_type plane airplane plane_type type_of_aircraft equipment aircraft_model aircraft_name
    aircraft_type_name type model
    flugzeug flugzeugtyp flugzeugmuster avion type_d_avion type_avion appareil tipo_de_avion tipo_avion aeronave
    tipo_de_aeronave aereo tipo_di_aereo tipo_aereo aeromobile aviao tipo_de_aviao`,
  aircraftReg: `aircraft_reg aircraft_registration registration reg tail_number tail tail_no registration_number
    kennzeichen registrierung flugzeugkennzeichen immatriculation matricula matricola registrazione registo registro`,
  seat: `seat_type seat seat_position
    sitz sitzplatz sitztyp siege type_de_siege place asiento tipo_de_asiento posto tipo_di_posto
    assento tipo_de_assento lugar`,
  seatNumber: `seat_number seat_no seatnumber seat_nr
    sitznummer sitzplatznummer sitz_nr numero_de_siege numero_siege numero_de_asiento numero_asiento
    numero_posto numero_di_posto numero_del_posto numero_do_assento numero_assento`,
  seatClass: `seat_class class cabin cabin_class flight_class travel_class class_of_service ticket_class
    klasse reiseklasse kabine buchungsklasse classe cabine clase clase_de_cabina cabina
    classe_di_viaggio classe_de_viagem`,
  flightReason: `flight_reason reason purpose trip_type travel_reason
    grund reisegrund reisezweck zweck motif raison motivo razon motivo_del_viaggio motivo_da_viagem`,
  note: `note notes comment comments remark remarks memo description
    notiz notizen bemerkung bemerkungen kommentar anmerkung remarque remarques commentaire commentaires
    nota notas comentario comentarios observaciones commento commenti observacao observacoes`,
}

export type CsvField = keyof typeof headers
export const csvFields = Object.keys(headers) as CsvField[]
export const requiredFields = ['date', 'from', 'to'] as const satisfies readonly CsvField[]

/** The headers that are recognised, by field. */
export const csvSynonyms = Object.fromEntries(
  csvFields.map((field) => [field, headers[field].split(/\s+/)]),
) as unknown as Readonly<Record<CsvField, readonly string[]>>

/** The order of year, month and day in dates that end or begin with the year. */
export const dateFormats = ['iso', 'dmy', 'mdy'] as const
export type DateFormat = (typeof dateFormats)[number]

/** From field to header; null if the file has no column for the field. */
export type CsvColumns = Readonly<Partial<Record<CsvField, string | null>>>

/** Longer headers are not recognised, and folding takes time. */
const MAX_HEADER_LENGTH = 200

/** Without case and accents, and with `_` for everything but letters and digits. */
export const headerKey = (header: string): string =>
  fold(header.slice(0, MAX_HEADER_LENGTH))
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '')

/**
 * The place of the column of each field. A named column is not recognised for another field. A header that the file lacks
 * has no place.
 */
export function columnPlaces(fileHeaders: readonly string[], named: CsvColumns = {}): Map<CsvField, number> {
  const [exact, keys] = [new Map<string, number>(), new Map<string, number>()]
  for (const [place, header] of fileHeaders.entries()) {
    const [text, key] = [header.trim(), headerKey(header)]
    // The first of several columns with the same header counts.
    if (!exact.has(text)) exact.set(text, place)
    if (key !== '' && !keys.has(key)) keys.set(key, place)
  }
  const found = new Map<CsvField, number>()
  const placeOf = (header: string) => exact.get(header.trim()) ?? keys.get(headerKey(header))
  for (const field of csvFields) {
    const header = named[field]
    const place = header == null ? undefined : placeOf(header)
    if (place !== undefined) found.set(field, place)
  }
  const taken = new Set(found.values())
  for (const field of csvFields) {
    if (Object.hasOwn(named, field)) continue
    const key = csvSynonyms[field].find((synonym) => keys.has(synonym) && !taken.has(keys.get(synonym)!))
    if (key !== undefined) found.set(field, keys.get(key)!)
  }
  return found
}
