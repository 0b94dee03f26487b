import { parsePages } from '../ranges';
import type { ChosenFile, FieldSchema, FormContext, Json } from '../workbench/contract';
import {
  branchOf,
  isNullable,
  isObject,
  isVisible,
  type JsonObject,
  propertiesOf,
  resolve,
  widgetOf,
} from './schema';
import { type Words, wordsOf } from './words';

export type Problems = Record<string, string>;

/** What stops this form from being sent: field path ("mode.every") -> sentence. Hidden fields are not judged. */
export function problemsOf(
  schema: FieldSchema,
  value: Json,
  context: Pick<FormContext, 'files' | 'lang'>,
): Problems {
  const problems: Problems = {};
  collect(schema, value, '', { root: schema, context, problems });
  return problems;
}

type Check = {
  root: FieldSchema;
  context: Pick<FormContext, 'files' | 'lang'>;
  problems: Problems;
};

export const joinPath = (path: string, name: string | number): string =>
  path === '' ? String(name) : `${path}.${name}`;

function collect(schema: FieldSchema, value: Json, path: string, check: Check): void {
  const parent = resolve(schema, check.root);
  const object = isObject(value) ? value : {};
  for (const property of propertiesOf(schema, check.root)) {
    if (!isVisible(property, object, parent, check.root)) continue;
    collectField(property.schema, object[property.name] ?? null, joinPath(path, property.name), check);
  }
}

function collectField(schema: FieldSchema, value: Json, path: string, check: Check): void {
  const widget = widgetOf(schema, check.root);
  if (widget === 'hidden') return;
  if (widget === 'group') collect(schema, value, path, check);
  else if (widget === 'per_file') collectRows(schema, value, path, check);
  else if (widget === 'tabs') {
    collect(branchOf(schema, check.root, value)?.schema ?? {}, value, path, check);
  } else {
    const problem = fieldProblem(schema, value, widget, check);
    if (problem) check.problems[path] = problem;
  }
}

function collectRows(schema: FieldSchema, value: Json, path: string, check: Check): void {
  const items = resolve(schema, check.root).items;
  if (!items || !Array.isArray(value)) return;
  value.forEach((row, index) => {
    const file = check.context.files[index];
    const context = { ...check.context, files: file ? [file] : [] };
    const judge = resolve(items, check.root).properties ? collect : collectField;
    judge(items, row, joinPath(path, index), { ...check, context });
  });
}

function fieldProblem(schema: FieldSchema, value: Json, widget: string, check: Check): string | null {
  const words = wordsOf(check.context.lang);
  const resolved = resolve(schema, check.root);
  if (value === null) return isNullable(schema) ? null : words.required;
  if (resolved.ui?.must && value !== true) return words.required;
  if (widget === 'parts') {
    return (
      partsProblem(String(value), check.context.files, words) ?? textProblem(resolved, String(value), words)
    );
  }
  if (widget === 'pages') {
    return (
      pagesProblem(String(value), check.context.files, words) ?? textProblem(resolved, String(value), words)
    );
  }
  if (typeof value === 'number') return numberProblem(resolved, value, words);
  if (typeof value === 'string') return textProblem(resolved, value, words);
  return null;
}

export function pagesProblem(text: string, files: readonly ChosenFile[], words: Words): string | null {
  const known = files.filter((file) => file.pages !== null);
  // Enough pages for any number: only the grammar can fail.
  if (known.length === 0) return parsePages(text, 9999).ok || /[0-9]{5}/.test(text) ? null : words.badGrammar;
  const short = known.find((file) => !parsePages(text, file.pages ?? 0).ok);
  if (!short) return null;
  const pages = short.pages ?? 0;
  return known.length === 1 ? words.badPages(pages) : words.badPagesOf(short.name, pages);
}

function partsProblem(text: string, files: readonly ChosenFile[], words: Words): string | null {
  const parts = text.split(/[;；\n]/).filter((part) => part.trim() !== '');
  const wrong = (parts.length > 0 ? parts : [text]).map((part) => pagesProblem(part, files, words));
  return wrong.find((problem) => problem !== null) ?? null;
}

function numberProblem(schema: FieldSchema, value: number, words: Words): string | null {
  const unit = schema.ui?.unit ? ` ${schema.ui.unit}` : '';
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (!Number.isFinite(value)) return words.notANumber;
  if (schema.type === 'integer' && !Number.isInteger(value)) return words.wholeNumber;
  if (minimum !== undefined && value < minimum) return words.atLeast(minimum, unit);
  if (maximum !== undefined && value > maximum) return words.atMost(maximum, unit);
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return words.atLeast(exclusiveMinimum, unit);
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    return words.atMost(exclusiveMaximum, unit);
  return null;
}

function textProblem(schema: FieldSchema, value: string, words: Words): string | null {
  const length = [...value].length;
  if (length < (schema.minLength ?? 0))
    return length === 0 ? words.required : words.tooShort(schema.minLength ?? 0);
  if (schema.maxLength !== undefined && length > schema.maxLength) return words.tooLong(schema.maxLength);
  if (!schema.pattern || new RegExp(schema.pattern).test(value)) return null;
  return value.trim() === '' ? words.required : words.badPattern;
}

/** Only what the visitor can see: fields hidden by `when` go back to their defaults on the server. */
export function visibleOptions(schema: FieldSchema, value: Json, root: FieldSchema = schema): Json {
  if (!isObject(value)) return value;
  const branch = branchOf(schema, root, value);
  const parent = branch?.schema ?? resolve(schema, root);
  const properties = propertiesOf(parent, root);
  if (properties.length === 0) return value;
  const kept: JsonObject = {};
  for (const property of properties) {
    const inner = value[property.name];
    if (inner === undefined || !isVisible(property, value, parent, root)) continue;
    kept[property.name] = visibleOptions(property.schema, inner, root);
  }
  return kept;
}
