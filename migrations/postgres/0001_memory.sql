-- What machines that serve together remember for a short while. Unlogged: a crash may forget it, and no commit waits for it.
create unlogged table limits (
  name text collate "C" not null,
  key bytea not null,
  ends_at bigint not null,
  requests bigint not null,
  primary key (name, key)
);
create unlogged table remembered (
  name text collate "C" not null,
  key bytea not null,
  value text not null,
  ends_at bigint not null,
  primary key (name, key)
);
