const NAME = 'PAPERCRANE_API_PUBLIC_URL';
/** Where a developer's own machine answers. */
const LOCAL = 'http://localhost:8000';

/**
 * The public origin that addresses, canonicals and the sitemap of a build begin with. The machine that builds
 * does not know it, so a build for production stops without it. Throws an Error that names the setting.
 */
export function publicOrigin(environment) {
  const given = environment[NAME] ?? '';
  const production = environment.PAPERCRANE_ENV === 'production';
  if (!given && !production) return LOCAL;
  const url = URL.canParse(given) ? new URL(given) : null;
  const web = url && (url.protocol === 'https:' || (url.protocol === 'http:' && !production));
  // The origin alone: a path, a query or a user name has no place in every page's address.
  if (web && (given === url.origin || given === `${url.origin}/`)) return url.origin;
  const why = given ? `${NAME}=${given} does not fit` : `${NAME} is not set`;
  throw new Error(
    `${why}: a production build needs the public origin of the site, e.g. ${NAME}=https://example.com`,
  );
}
