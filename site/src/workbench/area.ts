import { type Row, sentOf } from './state';

export type AreaState = 'Default' | 'Dragging' | 'Uploading' | 'PartiallyFailed' | 'AllFailed' | 'Success';

/** The six states of the upload area, told from the rows. */
export function areaState(rows: Row[], dragging: boolean): AreaState {
  if (dragging) return 'Dragging';
  if (rows.length === 0) return 'Default';
  const failed = rows.filter(({ upload }) => upload.at === 'failed').length;
  if (failed === rows.length) return 'AllFailed';
  if (rows.some(({ upload }) => ['waiting', 'sending', 'paused', 'absent'].includes(upload.at)))
    return 'Uploading';
  return failed > 0 ? 'PartiallyFailed' : 'Success';
}

/** 0..1 over all bytes. */
export function uploadProgress(rows: Row[]): number {
  const total = rows.reduce((sum, { size }) => sum + size, 0);
  const sent = rows.reduce((sum, { upload, size }) => {
    return sum + (upload.at === 'stored' ? size : sentOf(upload));
  }, 0);
  return total > 0 ? sent / total : 0;
}
