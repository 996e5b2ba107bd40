-- The database and its two logins. Run once, as the superuser, at the primary:
--   psql -v owner_password=… -v app_password=… -f logins.sql
-- The owner migrates and makes backups (DATABASE_MIGRATION_URL); the app's login has no rights of its own.
create role earshot_owner login createrole bypassrls password :'owner_password';
create role earshot_app login noinherit password :'app_password';
create database earshot owner earshot_owner;
