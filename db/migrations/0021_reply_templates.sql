-- Replies that a team writes often.

create table public.reply_templates (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 60),
  text text not null check (char_length(text) between 1 and 10000),
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);
comment on table public.reply_templates is 'Replies that a team writes often, with placeholders.';
comment on column public.reply_templates.id is 'Made by the sender: that makes a retry safe.';
comment on column public.reply_templates.text is
  'As typed. The browser fills in placeholders such as {{visitor.name}} when the template is inserted.';

alter table public.reply_templates enable row level security;
alter table public.reply_templates force row level security;
grant select, insert, update (name, text), delete on public.reply_templates to authenticated;
