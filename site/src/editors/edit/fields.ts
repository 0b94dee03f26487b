import type { OpenPdf } from '../pdf/open';
import type { Area } from '../pdf/text';
import type { FieldValue, Pair } from './acts';

/** A field's place on a page: what it is, what it holds, and what it may. */
export type FieldBox = {
  name: string;
  box: Area;
  value: FieldValue;
  multiline: boolean;
  /** Letters it may hold, 0 for any number; in a comb each has its own room. */
  most: number;
  comb: boolean;
} & (
  | { kind: 'text' }
  /** `button` is what it says of this place when it is on; a radio button without a look, the number of its object. */
  | { kind: 'check' | 'radio'; button: string }
  | { kind: 'choice' | 'list'; items: { value: string; label: string }[]; several: boolean }
);

/** What pdf.js tells of a widget. */
export type Widget = {
  id?: string;
  subtype?: string;
  fieldType?: string | null;
  fieldName?: string;
  fieldValue?: unknown;
  rect: number[];
  readOnly?: boolean;
  hidden?: boolean;
  checkBox?: boolean;
  radioButton?: boolean;
  pushButton?: boolean;
  buttonValue?: string | null;
  exportValue?: string | null;
  multiLine?: boolean;
  comb?: boolean;
  maxLen?: number | null;
  combo?: boolean;
  multiSelect?: boolean;
  options?: { exportValue: string | null; displayValue: string | null }[];
};

/** The fields of a page that can be filled in, at their places as seen. */
export async function fieldsOf(pdf: OpenPdf, number: number): Promise<FieldBox[]> {
  const page = await pdf.page(number);
  const viewport = page.getViewport({ scale: 1 });
  const widgets = (await page.getAnnotations({ intent: 'display' })) as Widget[];
  return widgets.flatMap((widget) => {
    const [left = 0, bottom = 0, right = 0, top = 0] = widget.rect;
    const [x1, y1] = viewport.convertToViewportPoint(left, bottom) as Pair;
    const [x2, y2] = viewport.convertToViewportPoint(right, top) as Pair;
    const box: Area = [Math.min(x1, x2), Math.min(y1, y2), Math.abs(x2 - x1), Math.abs(y2 - y1)];
    const field = fieldOf(widget, box);
    return field ? [field] : [];
  });
}

export function fieldOf(widget: Widget, box: Area): FieldBox | null {
  const { subtype, fieldType, fieldName: name, readOnly, hidden, pushButton } = widget;
  if (subtype !== 'Widget' || !name || readOnly || hidden || pushButton || box[2] < 1 || box[3] < 1)
    return null;
  const shared = {
    name,
    box,
    multiline: widget.multiLine ?? false,
    most: widget.maxLen ?? 0,
    comb: widget.comb ?? false,
  };
  const text = textOf(widget.fieldValue);
  if (fieldType === 'Tx') return { ...shared, kind: 'text', value: text };
  if (fieldType === 'Ch') return choiceOf(widget, shared);
  if (fieldType !== 'Btn') return null;
  const on = text !== '' && text !== 'Off' ? text : false;
  const button = (widget.radioButton ? (widget.buttonValue ?? objectOf(widget)) : widget.exportValue) ?? '';
  return { ...shared, kind: widget.radioButton ? 'radio' : 'check', value: on, button };
}

/** What stands in its page and not by itself has a name of pdf.js's making, which nobody else knows. */
const objectOf = ({ id = '' }: Widget): string | null => (/^\d+R\d*$/.test(id) ? id : null);

type Shared = Omit<Extract<FieldBox, { kind: 'text' }>, 'kind' | 'value'>;

function choiceOf(widget: Widget, shared: Shared): FieldBox {
  const items = (widget.options ?? []).map(({ exportValue, displayValue }) => ({
    value: exportValue ?? displayValue ?? '',
    label: displayValue ?? exportValue ?? '',
  }));
  const chosen = Array.isArray(widget.fieldValue)
    ? widget.fieldValue.map(textOf)
    : [textOf(widget.fieldValue)];
  const values = chosen.filter((value) => value !== '');
  if (widget.combo) return { ...shared, kind: 'choice', items, several: false, value: values[0] ?? '' };
  return { ...shared, kind: 'list', items, several: widget.multiSelect ?? false, value: values };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
