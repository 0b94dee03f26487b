import './bench.css';

/** What comes with the first file: a page is read without it. */
export { DonePanel } from './DonePanel';
export { FailedPanel } from './FailedPanel';
export { FilesPanel } from './FilesPanel';
export { RunningPanel } from './RunningPanel';
export { WorkBar } from './WorkBar';
