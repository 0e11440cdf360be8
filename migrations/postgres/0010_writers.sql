-- Counts the writes of each connection to parts of the data. Servers compare the rows to find out which of their caches are
-- stale. A connection changes only its own row, so connections never wait for each other here.
create table writers (
  process bigint primary key,
  at bigint not null,
  flights bigint not null,
  accounts bigint not null,
  credentials bigint not null
) with (fillfactor = 20);
-- The numbers are at least the time, so that a later process with the same number never repeats them. Names of accounts appear
-- in flights, and their roles in credentials.
create function count_write() returns trigger language plpgsql as $$
declare
  ms bigint := (extract(epoch from clock_timestamp()) * 1000)::bigint;
  in_flights bigint := case when tg_argv[0] <> 'credentials' then ms else 0 end;
  in_accounts bigint := case when tg_argv[0] = 'accounts' then ms else 0 end;
  in_credentials bigint := case when tg_argv[0] <> 'flights' then ms else 0 end;
begin
  perform set_config('paxlog.wrote_' || tg_argv[0], 'yes', true);
  insert into writers as w values (pg_backend_pid(), ms, in_flights, in_accounts, in_credentials)
    on conflict (process) do update set at = ms,
      flights = greatest(w.flights + sign(in_flights)::int, in_flights),
      accounts = greatest(w.accounts + sign(in_accounts)::int, in_accounts),
      credentials = greatest(w.credentials + sign(in_credentials)::int, in_credentials);
  return null;
end $$;
-- Once per transaction and part.
do $$
declare
  every_write text := 'insert or update or delete';
  entry text[];
begin
  foreach entry slice 1 in array array[
    ['flights', every_write, 'flights'],
    ['passengers', every_write, 'flights'],
    ['flight_tracks', every_write, 'flights'],
    ['flight_track_lines', every_write, 'flights'],
    ['flight_values', every_write, 'flights'],
    ['passenger_values', every_write, 'flights'],
    ['trips', every_write, 'flights'],
    ['users', every_write, 'accounts'],
    ['roles', every_write, 'accounts'],
    ['role_mappings', every_write, 'accounts'],
    ['identities', 'insert or delete', 'accounts'],
    ['preferences', every_write, 'accounts'],
    ['custom_fields', every_write, 'accounts'],
    ['shares', every_write, 'accounts'],
    ['calendars', every_write, 'accounts'],
    ['visited_countries', every_write, 'accounts'],
    ['airports', every_write, 'accounts'],
    ['airlines', every_write, 'accounts'],
    ['aircraft', every_write, 'accounts'],
    ['api_keys', 'update of user_id, scopes, legacy_objects or delete', 'credentials'],
    ['oauth_clients', 'update of name, redirect_uris or delete', 'credentials'],
    ['oauth_grants', 'update of user_id, scopes or delete', 'credentials'],
    ['oauth_families', 'update or delete', 'credentials'],
    ['oauth_access_tokens', 'update or delete', 'credentials']
  ] loop
    execute format(
      'create trigger count_write after %s on %I for each statement when (current_setting(%L, true) is distinct from %L)
         execute function count_write(%L)',
      entry[2], entry[1], 'paxlog.wrote_' || entry[3], 'yes', entry[3]);
  end loop;
end $$;
-- Has no rows. A write locks it, so that writes follow each other. Unlike an advisory lock, it is taken before the snapshot of
-- the transaction.
create table write_turn ();
