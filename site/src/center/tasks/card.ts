import type { Task } from '../../api/types';
import type { Centre } from './useCentre';

/** What every part of a task's card is given. */
export type CardProps = { task: Task; centre: Centre };

export type PanelProps = CardProps & { onClose(): void };

/** What folds open below a card. */
export type PanelName = 'receipt' | 'continue' | 'level' | 'delete';
