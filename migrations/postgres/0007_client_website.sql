alter table "oauth_clients" add column "website" text collate "C";
