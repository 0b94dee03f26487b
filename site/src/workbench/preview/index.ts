import './preview.css';

export { FilePreview } from './FilePreview';
export { ResultStage } from './ResultStage';
