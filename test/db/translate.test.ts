import { describe, expect, test } from 'vitest'
import { translate } from '../../src/db/postgres/translate.ts'

const sqlOf = (text: string) => translate(text).sql

describe('a statement for PostgreSQL', () => {
  test('numbers positional parameters', () => {
    expect(translate('select * from flights where id = ? and date > ?')).toEqual({
      sql: 'select * from flights where id = $1 and date > $2',
      parameters: [
        { key: '0', isList: false },
        { key: '1', isList: false },
      ],
    })
  })

  test('reuses the number of a named parameter', () => {
    expect(translate('select @a, @b, @a')).toEqual({
      sql: 'select $1, $2, $1',
      parameters: [
        { key: 'a', isList: false },
        { key: 'b', isList: false },
      ],
    })
  })

  test('binds a list as an array beside its other uses', () => {
    expect(translate('select value from json_each(@a) where value in (select value from json_each(@a))')).toEqual({
      sql: 'select value from json_numbers($1) where value = any($2::bigint[])',
      parameters: [
        { key: 'a', isList: false },
        { key: 'a', isList: true },
      ],
    })
  })

  test('leaves string literals unchanged', () => {
    const literal = "'is ? limit -1 @name ''quoted'' `x` §0§'"
    expect(translate(`select ${literal}, ?`)).toEqual({
      sql: `select ${literal}, $1`,
      parameters: [{ key: '0', isList: false }],
    })
  })

  test.each([
    ['quotes', 'select `id` from `flights`', 'select "id" from "flights"'],
    ['case-insensitive equality', 'username = ? collate nocase', 'lower(username) = lower($1 collate "C")'],
    ['case-insensitive order', 'order by "users"."username" collate nocase', 'order by lower("users"."username")'],
    ['like', 'name like ?', "name ilike $1 escape ''"],
    ['join hints', 'from a cross join b on b.id = a.id', 'from a join b on b.id = a.id'],
    ['index hints', 'where +user_id = ?', 'where user_id = $1'],
    ['null-safe equality', 'icao is ?', 'icao is not distinct from $1'],
    ['null-safe inequality', 'name is not ?', 'name is distinct from $1'],
    ['is null', 'icao is null and iata is not null', 'icao is null and iata is not null'],
    ['a limit of -1', 'limit -1', 'limit all'],
    ['a limit that may be -1', 'limit ?', 'limit nullif($1::bigint, -1)'],
    ['aggregated texts', "group_concat(name, ',')", "string_agg(name, ',')"],
    ['hex', 'lower(hex(hash))', "encode(hash, 'hex')"],
    ['lists of numbers', 'in (select value from json_each(?))', '= any($1::bigint[])'],
    ['lists of texts', "in (select value from json_each(?, '$'))", '= any($1::text[])'],
  ])('translates %s', (_name, sqlite, postgres) => {
    expect(sqlOf(sqlite)).toBe(postgres)
  })

  test('returns the id of inserted rows of tables with generated ids', () => {
    expect(sqlOf('insert into "flights" ("id", "date") values (null, ?)')).toBe(
      'insert into "flights" ("id", "date") values (default, $1) returning id',
    )
    expect(sqlOf('insert into flights (date) values (?) returning id, date')).toBe(
      'insert into flights (date) values ($1) returning id, date',
    )
    expect(sqlOf('insert into settings (key, value) values (?, ?)')).toBe(
      'insert into settings (key, value) values ($1, $2)',
    )
  })

  test('names the columns of a conflict without their table', () => {
    expect(sqlOf('on conflict ("settings"."key") do update set "value" = ?')).toBe(
      'on conflict ("key") do update set "value" = $1',
    )
  })
})
