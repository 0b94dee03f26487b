import type { FieldSchema, FieldUi, Json, Lang, Localised } from '../workbench/contract';

export type JsonObject = { [name: string]: Json };

export type Branch = { value: string; title: Localised | null; schema: FieldSchema };

export type Property = { name: string; schema: FieldSchema; ui: FieldUi };

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Follows `$ref` and unwraps `X | null`; keywords beside them (ui, default) win over those of the target. */
export function resolve(schema: FieldSchema, root: FieldSchema): FieldSchema {
  const { $ref, ...beside } = schema;
  if ($ref !== undefined) return resolve({ ...definition($ref, root), ...beside }, root);
  const kinds = schema.anyOf?.filter((option) => option.type !== 'null');
  if (kinds?.length !== 1) return schema;
  const { anyOf: _, ...rest } = beside;
  return resolve({ ...kinds[0], ...rest }, root);
}

function definition($ref: string, root: FieldSchema): FieldSchema {
  const found = root.$defs?.[$ref.replace('#/$defs/', '')];
  if (!found) throw new Error(`The options schema has no definition ${$ref}`);
  return found;
}

export const isNullable = (schema: FieldSchema): boolean =>
  Boolean(schema.anyOf?.some((option) => option.type === 'null')) ||
  (Array.isArray(schema.type) && schema.type.includes('null'));

export function propertiesOf(schema: FieldSchema, root: FieldSchema): Property[] {
  const resolved = resolve(schema, root);
  return Object.entries(resolved.properties ?? {}).map(([name, property]) => ({
    name,
    schema: property,
    ui: resolve(property, root).ui ?? {},
  }));
}

/** Alternatives of a tagged union, in the schema's order. */
export function branchesOf(schema: FieldSchema, root: FieldSchema): Branch[] {
  const union = resolve(schema, root);
  const tag = tagOf(schema, root);
  if (tag === null) return [];
  return (union.oneOf ?? union.anyOf ?? []).map((option) => {
    const branch = resolve(option, root);
    const mark = resolve(branch.properties?.[tag] ?? {}, root);
    const value = String(mark.const ?? mark.enum?.[0] ?? mark.default ?? '');
    return { value, title: branchTitle(union, branch, mark, value), schema: branch };
  });
}

function branchTitle(
  union: FieldSchema,
  branch: FieldSchema,
  mark: FieldSchema,
  value: string,
): Localised | null {
  return branch.ui?.title ?? union.ui?.choices?.[value] ?? mark.ui?.title ?? null;
}

export function tagOf(schema: FieldSchema, root: FieldSchema): string | null {
  return resolve(schema, root).discriminator?.propertyName ?? null;
}

export function branchOf(schema: FieldSchema, root: FieldSchema, value: Json): Branch | undefined {
  const tag = tagOf(schema, root);
  const branches = branchesOf(schema, root);
  if (tag === null || !isObject(value)) return branches[0];
  return branches.find((branch) => branch.value === String(value[tag])) ?? branches[0];
}

export function branchDefaults(schema: FieldSchema, root: FieldSchema, value: string): JsonObject {
  const tag = tagOf(schema, root) ?? '';
  const branch = branchesOf(schema, root).find((option) => option.value === value);
  const filled = branch ? defaultsOf(branch.schema, root) : {};
  return { ...(isObject(filled) ? filled : {}), [tag]: value };
}

/** The value a fresh form starts with. */
export function defaultsOf(schema: FieldSchema, root: FieldSchema = schema): Json {
  const resolved = resolve(schema, root);
  if (resolved.default !== undefined) return withBranchDefaults(schema, root, resolved.default);
  if (resolved.const !== undefined) return resolved.const;
  if (isNullable(schema)) return null;
  if (tagOf(schema, root) !== null) {
    return branchDefaults(schema, root, branchesOf(schema, root)[0]?.value ?? '');
  }
  if (resolved.properties) return objectDefaults(resolved, root);
  return resolved.enum?.[0] ?? emptyOf(resolved);
}

function objectDefaults(schema: FieldSchema, root: FieldSchema): JsonObject {
  const entries = Object.entries(schema.properties ?? {});
  return Object.fromEntries(entries.map(([name, property]) => [name, defaultsOf(property, root)]));
}

/** A default such as {"how": "single"} names only the tag; the branch knows the rest. */
function withBranchDefaults(schema: FieldSchema, root: FieldSchema, given: Json): Json {
  if (!isObject(given)) return given;
  const branch = branchOf(schema, root, given);
  const base = branch ? defaultsOf(branch.schema, root) : objectDefaults(resolve(schema, root), root);
  return { ...(isObject(base) ? base : {}), ...given };
}

function emptyOf(schema: FieldSchema): Json {
  switch (schema.type) {
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'array':
      return [];
    default:
      return '';
  }
}

/** A field with `when` shows only while its sibling has one of the values; a union counts as its tag. */
export function isVisible(
  property: Property,
  siblings: JsonObject,
  parent: FieldSchema,
  root: FieldSchema,
): boolean {
  const conditions = Object.entries(property.ui.when ?? {});
  return conditions.every(([name, wanted]) => {
    const sibling = parent.properties?.[name];
    const tag = sibling ? tagOf(sibling, root) : null;
    const value = siblings[name] ?? null;
    const actual = tag !== null && isObject(value) ? value[tag] : value;
    return wanted.includes(actual ?? null);
  });
}

export function widgetOf(schema: FieldSchema, root: FieldSchema): string {
  const resolved = resolve(schema, root);
  if (resolved.ui?.widget) return resolved.ui.widget;
  if (tagOf(schema, root) !== null) return 'tabs';
  if (resolved.const !== undefined) return 'hidden';
  if (resolved.enum) return resolved.enum.length > 4 ? 'select' : 'choice';
  if (resolved.type === 'boolean') return 'toggle';
  if (resolved.type === 'integer' || resolved.type === 'number') return 'number';
  return resolved.properties ? 'group' : 'text';
}

/** Values with their words, in the schema's order ("none" first); the words themselves come sorted by key. */
export function choicesOf(
  schema: FieldSchema,
  root: FieldSchema,
  lang: Lang,
): [value: Json, label: string][] {
  const resolved = resolve(schema, root);
  const words = resolved.ui?.choices ?? {};
  const values: Json[] = [...(isNullable(schema) ? [null] : []), ...(resolved.enum ?? [])];
  const free = Object.keys(words).filter((key) => !values.some((value) => String(value) === key));
  return [...values, ...free].map((value) => [value, words[String(value)]?.[lang] ?? String(value)]);
}
