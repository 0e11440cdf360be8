import { frame } from './frame.ts'
import { home } from './home.ts'
import { navigation } from './navigation.ts'

/** The English texts define the keys of all languages. */
export const en = { frame, home, navigation }
