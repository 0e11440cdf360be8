import type { home as source } from '../en/home.ts'
import { plural, type Translation } from '../message.ts'

export const home: Translation<typeof source> = {
  title: 'Voos',
  titleOfPage: 'Voos, página {page}',
  nextFlight: 'Próximo voo',
  cities: '{from} – {to}',
  noAccess: 'Sua função não permite ver voos. Peça a um administrador para alterá-la.',
  map: 'Mapa',
  yourFlights: 'Seus voos',
  mostFlown: 'Mais frequentes',
  airport: 'Aeroporto',
  route: 'Rota',
  airline: 'Companhia aérea',
  aircraft: 'Aeronave',
  times: plural({ one: '{count} vez', other: '{count} vezes' }),
  noFlights: 'Nenhum voo ainda. Adicione um e veja seu mapa crescer.',
  addFlight: 'Adicionar voo',
  addFirst: 'Adicionar o primeiro voo',
  importHint: 'Vem de outro serviço? <link>Importe um arquivo</link>.',
  import: 'Importar',
  useApiHint: 'Programas podem adicionar voos com <link>uma chave de API sua</link>.',
}
