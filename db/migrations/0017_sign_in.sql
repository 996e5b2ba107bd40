-- Sign-in: what decides whom an address belongs to, and which devices an account knows.

-- A confirmed sign-up reads whether a team has invited the address since.
create index invitations_email_idx on public.invitations (email);
