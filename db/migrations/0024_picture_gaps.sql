-- What a screenshot lacks, as the visitor's browser said when it drew the page.

alter table public.feedback_attachments
  add column missing text[] not null default '{}'
    check (missing <@ array['images', 'frames', 'canvas', 'video', 'styles', 'parts'] and cardinality(missing) <= 6);
comment on column public.feedback_attachments.missing is
  'What a screenshot lacks because it could be neither read nor drawn, so that no one takes a blank for what the visitor saw.';
