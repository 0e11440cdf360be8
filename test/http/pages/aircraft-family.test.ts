import { expect, test } from 'vitest'
import { aircraftFamily } from '../../../src/http/pages/features/statistics/aircraft-family.ts'

test.each([
  ['Airbus A320neo', 'Airbus', 'A320', 'A320neo'],
  ['Airbus A321', 'Airbus', 'A320', 'A321'],
  ['Airbus A330-300', 'Airbus', 'A330', 'A330-300'],
  ['Airbus A380-800', 'Airbus', 'A380', 'A380-800'],
  ['Boeing 737 MAX 8', 'Boeing', '737', '737 MAX 8'],
  ['Boeing 787-9 Dreamliner', 'Boeing', '787', '787-9 Dreamliner'],
  ['Bombardier CRJ900', 'Bombardier', 'CRJ', 'CRJ900'],
  ['De Havilland Canada Dash 8-400', 'De Havilland Canada', 'Dash 8', 'Dash 8-400'],
  ['Embraer E195-E2', 'Embraer', 'E-Jet', 'E195-E2'],
  ['McDonnell Douglas MD-82', 'McDonnell Douglas', 'MD-82', 'MD-82'],
  ['ATR 72-600', 'ATR', '72', '72-600'],
  ['Aérospatiale/BAC Concorde', 'Aérospatiale/BAC', 'Concorde', 'Concorde'],
  ['Glider', 'Glider', 'Glider', 'Glider'],
])('splits %s into manufacturer, family and model', (name, maker, family, model) => {
  expect(aircraftFamily(name)).toEqual({ maker, family, model })
})
