/** Reading without a connection. */
export const offline = {
  storedCopy: 'You are offline. You can read this stored copy, but not change anything.',
  title: 'You are offline',
  notStored: 'This page is not stored on this device. Connect to the internet to open it.',
  home: 'Show your stored flights',
  again: 'Try again',
  setting: 'Offline on this device',
  settingHint:
    'Store your totals and your last 50 flights in this browser to read them without a connection. Signing out deletes them and turns this off.',
  needs: 'Requires JavaScript, and https except on localhost.',
} as const
