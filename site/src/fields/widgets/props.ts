import type { FieldSchema, FormContext, Json } from '../../workbench/contract';

/** What every widget is given. The label is drawn by its field, except where `ownLabel` says otherwise. */
export type WidgetProps = {
  id: string;
  schema: FieldSchema;
  root: FieldSchema;
  value: Json;
  onChange(value: Json): void;
  context: FormContext;
  label: string;
  path: string;
  invalid: boolean;
  /** Ids of the hint and the error, for aria-describedby. */
  describedBy: string | undefined;
  /** Sentences from the server and from the checks, by path. */
  problems: Record<string, string>;
};

export const describe = ({ id, invalid, describedBy }: WidgetProps) => ({
  id,
  'aria-invalid': invalid || undefined,
  'aria-describedby': describedBy,
});
