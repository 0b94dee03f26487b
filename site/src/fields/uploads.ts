/** Files uploaded by `file` widgets, by storage key, so that editors can draw them without a download. */
const uploads = new Map<string, File>();

export const rememberUpload = (key: string, file: File): void => {
  uploads.set(key, file);
};

export const uploadedFile = (key: string): File | undefined => uploads.get(key);
