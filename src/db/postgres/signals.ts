/** Places in the memory that both threads see: how many questions were answered, and whether the database is away. */
export const ANSWERS = 0
export const IS_AWAY = 1
