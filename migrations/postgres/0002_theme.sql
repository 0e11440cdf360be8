alter table preferences add theme text collate "C" default 'auto' not null;
