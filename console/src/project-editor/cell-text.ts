import { isJsonObject } from '../../../src/base/json/json-value.ts';
import { stringifyJson } from '../../../src/base/json/stringify-json.ts';
import { type JsonSchema, shapeOf } from '../../../src/base/json-schema/json-schema.ts';

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** A value as a cell shows it. */
export const cellText = (value: unknown): string => {
  if (value === undefined) return '';
  if (isScalar(value)) return String(value);
  if (Array.isArray(value) && value.every(isScalar)) return value.join(', ');
  return stringifyJson(value);
};

const numberPattern = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Text that is no number stays text, so that validation reports it. */
const numberOf = (text: string): unknown => {
  if (!numberPattern.test(text)) return text;
  const value = Number(text);
  if (!Number.isFinite(value)) return text;
  return Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(text)
    ? BigInt(text)
    : value;
};

/** Kinds of fields that one line of text can hold. */
export type CellKind = 'text' | 'choice' | 'reference' | 'references' | 'nested';

export const cellKind = (schema: JsonSchema): CellKind => {
  if (schema['x-table'] !== undefined) return 'reference';
  const shape = shapeOf(schema);
  switch (shape.kind) {
    case 'choice':
    case 'boolean':
      return 'choice';
    case 'list':
      if (shape.items['x-table'] !== undefined) return 'references';
      return ['object', 'map', 'union', 'list'].includes(shapeOf(shape.items).kind)
        ? 'nested'
        : 'text';
    case 'union':
      return shape.branches.every((branch) => cellKind(branch) !== 'nested') &&
        schema['x-variant'] === undefined
        ? 'text'
        : 'nested';
    case 'object':
    case 'map':
      return 'nested';
    default:
      return 'text';
  }
};

/** The table whose rows a field offers, if it is a reference or a union with one. */
export const tableOf = (schema: JsonSchema): string | null =>
  schema['x-table'] ??
  schema.items?.['x-table'] ??
  schema.anyOf?.map(tableOf).find(Boolean) ??
  null;

/** Parses a cell. Undefined removes the field. Text that does not fit stays text. */
export const valueOfText = (schema: JsonSchema, text: string): unknown => {
  const shape = shapeOf(schema);
  const trimmed = text.trim();
  switch (shape.kind) {
    case 'choice':
      return trimmed === ''
        ? undefined
        : (shape.values.find((value) => String(value) === trimmed) ?? trimmed);
    case 'boolean':
      return trimmed === ''
        ? undefined
        : trimmed === 'true'
          ? true
          : trimmed === 'false'
            ? false
            : text;
    case 'integer':
    case 'number':
      return trimmed === '' ? undefined : numberOf(trimmed);
    case 'list': {
      const items = trimmed.split(/\s*,\s*/).filter((item) => item !== '');
      return items.length === 0 ? undefined : items.map((item) => valueOfText(shape.items, item));
    }
    case 'union':
      return trimmed === '' ? undefined : unionValue(shape.branches, trimmed);
    default:
      return text === '' ? undefined : text;
  }
};

const unionValue = (branches: readonly JsonSchema[], text: string): unknown => {
  const hasNumber = branches.some((branch) => ['integer', 'number'].includes(shapeOf(branch).kind));
  return hasNumber ? numberOf(text) : text;
};

export const isEmptyValue = (value: unknown): boolean =>
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isJsonObject(value) && Object.keys(value).length === 0);
