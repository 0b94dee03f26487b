import { BUILT_AT, routeRules } from '../../../lib/build';

export const getStaticPaths = () => [{ params: { id: __BUILD_ID__ } }];

export const GET = async () =>
  Response.json({ id: __BUILD_ID__, timestamp: BUILT_AT, routes: await routeRules() });
