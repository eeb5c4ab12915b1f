import { invalidArgument } from '../base/errors/busbar-error.ts';
import type { JsonSchema } from '../base/json-schema/json-schema.ts';
import { bitRateOfText } from '../frame/bit-rate-text.ts';

const integerText = /^(0|-?[1-9][0-9]*)$/;
const hexText = /^(?:0x([0-9a-f]+)|([0-9a-f]+)h)$/i;
const numberText = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

export const valueOfText = (
  schema: JsonSchema,
  field: string,
  text: string,
  shown = field,
): unknown => {
  if (text.includes('\0')) throw invalidArgument(field, `${shown} must not contain NUL`);
  switch (schema.type) {
    case 'integer': {
      if (schema['x-bit-rate']) {
        const rate = bitRateOfText(text);
        if (rate !== undefined) return rate;
        throw invalidArgument(field, `${shown} must be a bit rate, such as 500000, 500k or 2M`);
      }
      const [, prefixed, suffixed] = (schema['x-hex'] && hexText.exec(text)) || [];
      const hex = prefixed ?? suffixed;
      if (hex === undefined && !integerText.test(text)) {
        const forms = schema['x-hex'] ? ': hex as 0x1F or 1Fh, otherwise decimal' : '';
        throw invalidArgument(field, `${shown} must be an integer${forms}`);
      }
      const value = hex === undefined ? Number(text) : Number.parseInt(hex, 16);
      if (!Number.isSafeInteger(value)) throw invalidArgument(field, `${shown} is out of range`);
      return value;
    }
    case 'number': {
      if (!numberText.test(text)) throw invalidArgument(field, `${shown} must be a number`);
      const value = Number(text);
      if (!Number.isFinite(value)) throw invalidArgument(field, `${shown} is out of range`);
      return value;
    }
    case 'boolean':
      if (text !== 'true' && text !== 'false') {
        throw invalidArgument(field, `${shown} must be true or false`);
      }
      return text === 'true';
    default:
      return schema.enum?.find((value) => String(value) === text) ?? text;
  }
};
