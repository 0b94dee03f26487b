export const GET = () =>
  new Response(
    `User-agent: *\nDisallow: /api/\nDisallow: /s3/\nSitemap: ${__SITE_URL__}/sitemap-index.xml\n`,
  );
