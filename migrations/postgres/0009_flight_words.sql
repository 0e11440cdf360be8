-- Narrows text filters. Paxlog compares the candidates itself, so a flight may have too many lexemes, but never too few. See
-- src/domain/flights/query/text-candidates.ts.
--
-- The lexemes are words of Latin, Greek, Cyrillic, Hebrew, Arabic and Korean letters without case and accents; these words
-- with a tilde if another letter or mark follows; single characters of scripts without spaces; and two tildes if a newer
-- version of Unicode than that of PostgreSQL may fold a character to one of these letters.
create function flight_words(number text, registration text, note text) returns tsvector language plpgsql immutable parallel safe cost 500 as $$
declare
  given text := lower(coalesce(number || ' ' || translate(number, ' -', '') || ' ', '')
    || coalesce(registration || ' ' || translate(registration, ' -', '') || ' ', '') || coalesce(note, '') collate "C");
  others text[];
begin
  if octet_length(given) <> length(given) then
    given := lower(regexp_replace(normalize(given, NFKD), '[\u0300-\u036F\u3099\u309A\uFE00-\uFE0F]', '', 'g') collate "C");
    given := translate(given, 'øØłŁđĐðÐıςΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ', 'oollddddiσαβγδεζηθικλμνξοπρστυφχψω');
    given := translate(given, 'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏ', 'абвгдежзийклмнопрстуфхцчшщъыьэюяѐёђѓєѕіїјљњћќѝўџ');
    given := replace(replace(replace(replace(given, 'ß', 'ss'), 'ẞ', 'ss'), 'þ', 'th'), 'Þ', 'th');
    given := replace(replace(replace(replace(given, 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe');
    -- Punctuation, symbols and emoji.
    given := regexp_replace(given,
      '[\u0080-\u00BF\u2000-\u206F\u20A0-\u20CF\u2190-\u2BFF\u3000-\u3004\u3008-\u3020\U0001F100-\U0001FAFF]+', ' ', 'g');
    if octet_length(given) <> length(given) then
      others := array(
        select left(part[1], 100) || '~'
          from regexp_matches(given, '([a-z0-9\u03B1-\u03C9\u0430-\u045F\u05D0-\u05EA\u0621-\u064A\u1100-\u11FF]+)[^\u0001-\u007F\u03B1-\u03C9\u0430-\u045F\u05D0-\u05EA\u0621-\u064A\u1100-\u11FF]', 'g') part
        union all select part[1] from regexp_matches(given, '[\u0904-\u0939\u0E01-\u0E2E\u3041-\u3096\u30A1-\u30FA\u3400-\u4DBF\u4E00-\u9FFF]', 'g') part
        union all select '~~' where given ~ '[\uA7D0-\uA7FF\U00010000-\U0001FFFF\U00030000-\U0010FFFF]');
    end if;
  end if;
  -- Filters have at most 100 letters, and a lexeme at most 2 kB.
  if given ~ '[a-z0-9\u03B1-\u03C9\u0430-\u045F\u05D0-\u05EA\u0621-\u064A\u1100-\u11FF]{101}' then
    given := regexp_replace(given, '([a-z0-9\u03B1-\u03C9\u0430-\u045F\u05D0-\u05EA\u0621-\u064A\u1100-\u11FF]{100})[a-z0-9\u03B1-\u03C9\u0430-\u045F\u05D0-\u05EA\u0621-\u064A\u1100-\u11FF]+', '\1 ', 'g');
  end if;
  return array_to_tsvector(array_remove(regexp_split_to_array(given, '[^a-z0-9\u03B1-\u03C9\u0430-\u045F\u05D0-\u05EA\u0621-\u064A\u1100-\u11FF]+'), '') || others);
end $$;
create index flights_words on flights using gin (flight_words(flight_number, aircraft_reg, note));
create index passengers_words on passengers using gin (flight_words(null, null, guest_name)) where guest_name is not null;
-- For planned flights, which are few.
create index flights_by_completion on flights (completed_from);
