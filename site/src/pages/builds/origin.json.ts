/** The public origin this build was made for: the server compares it with its own setting. */
export const GET = () => Response.json({ origin: __SITE_URL__ });
