alter table preferences add language text collate "C" default 'auto' not null;
