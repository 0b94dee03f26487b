import { BUILT_AT } from '../../lib/build';

export const GET = () => Response.json({ id: __BUILD_ID__, timestamp: BUILT_AT });
