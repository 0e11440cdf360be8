import type { offline as source } from '../en/offline.ts'
import type { Translation } from '../message.ts'

export const offline: Translation<typeof source> = {
  storedCopy: 'Sei offline. Puoi leggere questa copia salvata, ma non modificare nulla.',
  title: 'Sei offline',
  notStored: 'Questa pagina non è salvata su questo dispositivo. Connettiti a Internet per aprirla.',
  home: 'Mostra i voli salvati',
  again: 'Riprova',
  setting: 'Offline su questo dispositivo',
  settingHint:
    "Salva i tuoi totali e i tuoi ultimi 50 voli in questo browser per leggerli senza connessione. Quando esci dall'account, vengono eliminati e la funzione si disattiva.",
  needs: 'Richiede JavaScript e, tranne su localhost, https.',
}
