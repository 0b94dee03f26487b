import { wake } from '../wake';

wake(() => import('./mount'));
