import type { offline as source } from '../en/offline.ts'
import type { Translation } from '../message.ts'

/** Reading without a connection. */
export const offline: Translation<typeof source> = {
  storedCopy: 'Você está offline. Pode ler esta cópia salva, mas não alterar nada.',
  title: 'Você está offline',
  notStored: 'Esta página não está salva neste dispositivo. Conecte-se à internet para abri-la.',
  home: 'Mostrar seus voos salvos',
  again: 'Tentar de novo',
  setting: 'Offline neste dispositivo',
  settingHint:
    'Salva seus totais e seus últimos 50 voos neste navegador para você ler sem conexão. Ao sair, essa cópia é apagada e a opção é desativada.',
  needs: 'Requer JavaScript e, exceto em localhost, https.',
}
