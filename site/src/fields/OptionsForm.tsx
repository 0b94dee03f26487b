import type { Lang, OptionsFormProps } from '../workbench/contract';
import { problemsOf } from './checks';
import { Group } from './Group';
import './fields.css';
import './widgets/widgets.css';

export type FormProblem = { field: string; msg: string };

export type FormProps = OptionsFormProps & {
  /** From the server: shown at its field, or above the form when no field is known. */
  error?: FormProblem | null;
  lang?: Lang;
};

/** The form of a tool, drawn from the JSON Schema of its options. */
export function OptionsForm({ schema, value, onChange, context, error, lang }: FormProps) {
  const scope = lang ? { ...context, lang } : context;
  const problems = problemsOf(schema, value, scope);
  if (error) problems[error.field] = error.msg;
  const general = error && error.field === '' ? error.msg : null;
  return (
    <div className="fields">
      {general && (
        <p className="field-problem" role="alert">
          {general}
        </p>
      )}
      <Group
        schema={schema}
        root={schema}
        value={value}
        onChange={onChange}
        context={scope}
        path=""
        problems={problems}
      />
    </div>
  );
}
