-- Workers name their keeper.

alter table app.job_workers add column keeper_id uuid;
comment on column app.job_workers.keeper_id is
  'The keeper that started the process. It starts a successor only once this one has ended, so the successor frees the '
  'jobs of all rows of its keeper. Null: no keeper.';
comment on table app.job_workers is
  'Heartbeats of the processes that run jobs. After 20 seconds of silence a worker counts as dead, and other workers '
  'take its jobs.';
