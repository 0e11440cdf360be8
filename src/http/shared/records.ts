import { Flight } from '../../domain/flights/contract.ts'
import { Me } from '../../domain/profile/contract.ts'
import { Aircraft, Airline, Airport } from '../../domain/reference/contract.ts'
import { rememberedText, serializerAround, serializerOf } from './serializer.ts'

const airportText = rememberedText(serializerOf(Airport))

/** The JSON of records that services keep as v1 answers with them: what is asked for often is written once. */
export const recordWriters = {
  flight: serializerAround<Flight>(Flight, {
    from: airportText,
    to: airportText,
    airline: rememberedText(serializerOf(Airline)),
    aircraft: rememberedText(serializerOf(Aircraft)),
  }),
  me: serializerOf(Me) as (me: Me) => string,
}
