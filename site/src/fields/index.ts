export { type Problems, problemsOf, visibleOptions } from './checks';
export { type FormProblem, OptionsForm } from './OptionsForm';
export { defaultsOf } from './schema';
export { rememberUpload, uploadedFile } from './uploads';
