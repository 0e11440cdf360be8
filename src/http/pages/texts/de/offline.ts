import type { offline as source } from '../en/offline.ts'
import type { Translation } from '../message.ts'

/** Reading without a connection. */
export const offline: Translation<typeof source> = {
  storedCopy: 'Sie sind offline. Sie können diese gespeicherte Kopie lesen, aber nichts ändern.',
  title: 'Sie sind offline',
  notStored:
    'Diese Seite ist auf diesem Gerät nicht gespeichert. Stellen Sie eine Internetverbindung her, um sie zu öffnen.',
  home: 'Gespeicherte Flüge anzeigen',
  again: 'Erneut versuchen',
  setting: 'Offline auf diesem Gerät',
  settingHint:
    'Speichert Ihre Gesamtzahlen und Ihre letzten 50 Flüge in diesem Browser, damit Sie sie ohne Verbindung lesen können. Beim Abmelden werden sie gelöscht, und die Funktion wird ausgeschaltet.',
  needs: 'Erfordert JavaScript und, außer auf localhost, https.',
}
