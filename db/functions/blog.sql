-- The blog is read and written by the system alone.

-- New tables: see the end of app.sql, which ran before this file.
call app.add_system_policies();
