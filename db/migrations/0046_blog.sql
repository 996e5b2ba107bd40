-- The blog of the instance: posts, their saved versions, former addresses and pictures.

create table public.blog_pictures (
  id uuid primary key,
  mime text not null check (mime in ('image/png', 'image/jpeg', 'image/webp', 'image/avif', 'image/gif')),
  bytes integer not null check (bytes > 0),
  sha256 bytea not null unique check (octet_length(sha256) = 32),
  storage_key text not null unique check (char_length(storage_key) <= 255),
  created_by uuid,
  created_at timestamptz not null default now()
);
comment on table public.blog_pictures is 'Pictures of posts. Anyone can read them; their bytes are in the storage.';
comment on column public.blog_pictures.sha256 is 'Of the bytes: a picture that is uploaded again is the same picture.';
comment on column public.blog_pictures.created_by is 'The superadmin; the account may be deleted.';
alter table public.blog_pictures enable row level security;
alter table public.blog_pictures force row level security;
grant select, insert, update, delete on public.blog_pictures to service_role;

create table public.blog_posts (
  id uuid primary key,
  version integer not null default 1 check (version > 0),
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 80),
  title text not null check (char_length(title) between 1 and 200),
  summary text not null default '' check (char_length(summary) <= 500),
  markdown text not null default '' check (char_length(markdown) <= 200000),
  tags text[] not null default '{}' check (cardinality(tags) <= 10),
  author_name text not null default '' check (char_length(author_name) <= 120),
  seo_title text not null default '' check (char_length(seo_title) <= 120),
  seo_description text not null default '' check (char_length(seo_description) <= 300),
  cover_id uuid references public.blog_pictures (id),
  published_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid,
  deleted_at timestamptz
);
comment on table public.blog_posts is 'Posts of the blog, the same for all organisations. Written by superadmins.';
comment on column public.blog_posts.version is 'Rises by one with each change: a change of an older version is refused.';
comment on column public.blog_posts.seo_title is 'For search engines instead of the title; empty: the title.';
comment on column public.blog_posts.seo_description is 'For search engines instead of the summary; empty: the summary.';
comment on column public.blog_posts.published_at is 'Null: a draft. In the future: scheduled. Otherwise anyone can read it.';
comment on column public.blog_posts.updated_by is 'The superadmin; the account may be deleted.';
comment on column public.blog_posts.deleted_at is 'Since when it is in the trash; null: it is not. No one can read a post in the trash.';
create index blog_posts_updated_idx on public.blog_posts (updated_at desc, id desc);
create index blog_posts_published_idx on public.blog_posts (published_at desc, id desc)
  where published_at is not null and deleted_at is null;
create index blog_posts_cover_idx on public.blog_posts (cover_id) where cover_id is not null;
alter table public.blog_posts enable row level security;
alter table public.blog_posts force row level security;
grant select, insert, update, delete on public.blog_posts to service_role;

create table public.blog_post_revisions (
  id uuid primary key,
  post_id uuid not null references public.blog_posts (id) on delete cascade,
  version integer not null check (version > 0),
  content jsonb not null check (jsonb_typeof(content) = 'object'),
  is_autosave boolean not null default false,
  saved_by uuid,
  saved_name text check (char_length(saved_name) <= 254),
  saved_at timestamptz not null default now(),
  unique (post_id, version)
);
comment on table public.blog_post_revisions is
  'Saved versions of posts. Of the autosaves of one person, the latest in ten minutes is kept.';
comment on column public.blog_post_revisions.version is 'Version of the post that this save made.';
comment on column public.blog_post_revisions.content is 'Saved content: title, Markdown, slug, tags and the other fields.';
comment on column public.blog_post_revisions.saved_name is 'Name of the superadmin then: the account may be deleted.';
alter table public.blog_post_revisions enable row level security;
alter table public.blog_post_revisions force row level security;
grant select, insert, update, delete on public.blog_post_revisions to service_role;

create table public.blog_redirects (
  slug text primary key check (char_length(slug) <= 80),
  post_id uuid not null references public.blog_posts (id) on delete cascade,
  created_at timestamptz not null default now()
);
comment on table public.blog_redirects is
  'Slugs under which posts could be read. They lead to the post, unless another post has the slug now.';
create index blog_redirects_post_idx on public.blog_redirects (post_id);
alter table public.blog_redirects enable row level security;
alter table public.blog_redirects force row level security;
grant select, insert, update, delete on public.blog_redirects to service_role;
