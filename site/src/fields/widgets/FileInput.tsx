import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { isNullable, resolve } from '../schema';
import { rememberUpload, uploadedFile } from '../uploads';
import { wordsOf } from '../words';
import { describe, type WidgetProps } from './props';

type Phase = { at: 'idle' } | { at: 'uploading'; name: string } | { at: 'failed'; name: string };

/** A further upload, for example the picture of a watermark; the value is its storage key. */
export function FileInput(props: WidgetProps) {
  const [phase, setPhase] = useState<Phase>({ at: 'idle' });
  const words = wordsOf(props.context.lang);
  const key = typeof props.value === 'string' ? props.value : '';
  // What was changed elsewhere in the form while the file went up stays; a field that is gone says nothing any more.
  const write = useRef<WidgetProps['onChange'] | null>(null);
  useEffect(() => {
    write.current = props.onChange;
    return () => {
      write.current = null;
    };
  });
  const upload = async (file: File | undefined) => {
    if (!file) return;
    setPhase({ at: 'uploading', name: file.name });
    try {
      const uploaded = await props.context.upload(file);
      rememberUpload(uploaded, file);
      // At once: what is typed before the next drawing would be written over it.
      flushSync(() => write.current?.(uploaded));
      setPhase({ at: 'idle' });
    } catch {
      setPhase({ at: 'failed', name: file.name });
    }
  };
  return (
    <div className="field-file">
      <label className="field-file-button">
        <input
          {...describe(props)}
          type="file"
          accept={resolve(props.schema, props.root).ui?.accept?.join(',')}
          className="field-hidden-input"
          disabled={phase.at === 'uploading'}
          onChange={(event) => {
            void upload(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
        {key ? words.replaceFile : words.chooseFile}
      </label>
      <span className="field-file-name filename" role="status">
        {statusOf(phase, key, words)}
      </span>
      {key !== '' && (
        <button
          type="button"
          className="field-chip"
          onClick={() => props.onChange(isNullable(props.schema) ? null : '')}
        >
          {words.removeFile}
        </button>
      )}
    </div>
  );
}

function statusOf(phase: Phase, key: string, words: ReturnType<typeof wordsOf>): string {
  if (phase.at === 'uploading') return `${phase.name} · ${words.uploading}`;
  if (phase.at === 'failed') return `${phase.name} · ${words.uploadFailed}`;
  return key === '' ? '' : (uploadedFile(key)?.name ?? words.uploaded);
}
