-- Words that superadmins gave emails in place of the defaults, and every version of them.

create table app.email_templates (
  id text primary key check (id ~ '^[a-z][a-z_]{0,49}([.][a-z][a-z_]{0,49})?$'),
  version integer not null check (version > 0),
  words jsonb check (jsonb_typeof(words) = 'object'),
  default_words jsonb check (jsonb_typeof(default_words) = 'object'),
  updated_by uuid,
  updated_name text check (char_length(updated_name) <= 254),
  updated_at timestamptz not null default now(),
  check ((words is null) = (default_words is null))
);
comment on table app.email_templates is
  'Templates of emails whose words superadmins changed. Templates themselves, with their default words, are code.';
comment on column app.email_templates.id is 'Kind of email; with a dot and a variant where the words of a kind differ.';
comment on column app.email_templates.version is 'Rises by one with each change: a change of an older version is refused.';
comment on column app.email_templates.words is 'Words by field; null: reset to the default.';
comment on column app.email_templates.default_words is
  'Default words when these were saved: a newer Earshot may have others.';
comment on column app.email_templates.updated_by is 'The superadmin; the account may be deleted.';
comment on column app.email_templates.updated_name is 'Name of the superadmin then.';
alter table app.email_templates enable row level security;
alter table app.email_templates force row level security;
grant select, insert, update, delete on app.email_templates to service_role;

create table app.email_template_revisions (
  id uuid primary key,
  template_id text not null references app.email_templates (id) on delete cascade,
  version integer not null check (version > 0),
  words jsonb check (jsonb_typeof(words) = 'object'),
  saved_by uuid,
  saved_name text check (char_length(saved_name) <= 254),
  saved_at timestamptz not null default now(),
  unique (template_id, version)
);
comment on table app.email_template_revisions is 'Saved versions of the words of emails.';
comment on column app.email_template_revisions.version is 'Version of the template that this save made.';
comment on column app.email_template_revisions.words is 'Words by field; null: reset to the default.';
comment on column app.email_template_revisions.saved_name is 'Name of the superadmin then: the account may be deleted.';
alter table app.email_template_revisions enable row level security;
alter table app.email_template_revisions force row level security;
grant select, insert, update, delete on app.email_template_revisions to service_role;
