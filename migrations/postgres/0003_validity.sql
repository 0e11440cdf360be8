alter table airports add valid_from text collate "C";
alter table airports add valid_until text collate "C";
alter table airlines add valid_from text collate "C";
alter table airlines add valid_until text collate "C";
