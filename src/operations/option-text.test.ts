import { describe, expect, it } from 'vitest';
import { BusbarError, type ErrorRecord } from '../base/errors/busbar-error.ts';
import type { JsonSchema } from '../base/json-schema/json-schema.ts';
import { valueOfOption } from './option-text.ts';
import { plainSchema } from './render/plain-schema.ts';
import { partAdjust } from './testing/sample-operations.ts';

const size = plainSchema(partAdjust.parameters.properties.size) as JsonSchema;
const name = { field: 'size', shown: '--size' };

const read = (text: string): unknown => valueOfOption(size, name, text);

const refusalOf = (text: string): ErrorRecord => {
  try {
    read(text);
  } catch (thrown) {
    if (thrown instanceof BusbarError) return thrown.toRecord();
    throw thrown;
  }
  throw new Error(`${text} was taken`);
};

describe('an option that takes a number or a text', () => {
  const schema: JsonSchema = {
    anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^[0-9A-F]+$', 'x-form': 'hex' }],
  };
  const code = { field: 'code', shown: '--code' };

  it('is the text that was typed, also where that looks like a number', () => {
    expect(valueOfOption(schema, code, '123')).toBe('123');
  });

  it('is refused where the text has another form', () => {
    expect(() => valueOfOption(schema, code, 'x')).toThrow('--code must be hex');
  });
});

describe('an option that takes a text or an object', () => {
  const schema: JsonSchema = {
    anyOf: [{ type: 'string' }, { type: 'object', properties: { width: { type: 'integer' } } }],
  };
  const part = { field: 'part', shown: '--part' };

  it('is an object where the text begins like JSON', () => {
    expect(valueOfOption(schema, part, '{"width":5}')).toEqual({ width: 5 });
    expect(valueOfOption(schema, part, 'part.json')).toBe('part.json');
    expect(() => valueOfOption(schema, part, '{width')).toThrow('--part is not valid JSON');
  });
});

describe('an option that has fields', () => {
  it.each<[text: string, value: object]>([
    ['width=5', { width: 5 }],
    ['unit=in,width=5', { unit: 'in', width: 5 }],
    ['width=5,exact=false', { width: 5, exact: false }],
    ['width=5,exact', { width: 5, exact: true }],
    ['width=5,hole.bore_depth=3', { width: 5, hole: { bore_depth: 3 } }],
    ['width=5,hole.bore-depth=3', { width: 5, hole: { bore_depth: 3 } }],
    [
      'hole.thread=M3=x,width=5,hole.bore_depth=0',
      { hole: { thread: 'M3=x', bore_depth: 0 }, width: 5 },
    ],
    ['{"width":5}', { width: 5 }],
    [
      '{"width":5,"exact":true,"hole":{"bore_depth":1,"thread":"a,b"}}',
      { width: 5, exact: true, hole: { bore_depth: 1, thread: 'a,b' } },
    ],
  ])('is read from %s', (text, value) => {
    expect(read(text)).toEqual(value);
  });

  it.each<[text: string, field: string, message: string]>([
    ['', 'size', '--size must not be empty'],
    ['width', 'size.width', 'width of --size needs a value'],
    ['width=', 'size.width', 'width of --size must not be empty'],
    ['width=x', 'size.width', 'width of --size must be an integer'],
    ['width=101', 'size.width', 'width of --size must be at most 100'],
    ['width=1,unit=ft', 'size.unit', 'unit of --size must be one of mm, in'],
    ['width=1,unit=', 'size.unit', 'unit of --size must be one of mm, in'],
    ['width=1,exact=1', 'size.exact', 'exact of --size must be true or false'],
    ['width=1,width=2', 'size.width', 'width of --size is given more than once'],
    [
      'width=1,hole.bore-depth=1,hole.bore_depth=2',
      'size.hole.bore_depth',
      'hole.bore_depth of --size is given more than once',
    ],
    ['width=1,', 'size', '--size has an extra comma'],
    ['unit=mm', 'size.width', 'width of --size is required'],
    ['width=1,hole.thread=a', 'size.hole.bore_depth', 'hole.bore_depth of --size is required'],
    ['width=1,hole=3', 'size.hole', 'hole of --size has fields: use hole.bore_depth'],
    [
      'foo=1',
      'size.foo',
      'foo of --size is not a known field; known fields: width, unit, exact, hole',
    ],
    [
      'hole.foo=1',
      'size.hole.foo',
      'hole.foo of --size is not a known field; known fields: bore_depth, thread',
    ],
    ['width.foo=1', 'size.width.foo', 'width.foo of --size is not a known field'],
    ['{"width":"5"}', 'size.width', 'width of --size must be an integer'],
    ['{"width":5.5}', 'size.width', 'width of --size must be an integer'],
    ['{"width":0}', 'size.width', 'width of --size must be at least 1'],
    ['{"width":1,"unit":"ft"}', 'size.unit', 'unit of --size must be one of mm, in'],
    ['{"width":1,"exact":"true"}', 'size.exact', 'exact of --size must be true or false'],
    ['{"width":1,"hole":[]}', 'size.hole', 'hole of --size must be an object'],
    [
      '{"width":1,"hole":{"thread":7,"bore_depth":1}}',
      'size.hole.thread',
      'hole.thread of --size must be text',
    ],
    ['{"width":1,"hole":{}}', 'size.hole.bore_depth', 'hole.bore_depth of --size is required'],
    ['{}', 'size.width', 'width of --size is required'],
  ])('names the field at fault in %j', (text, field, message) => {
    expect(refusalOf(text)).toMatchObject({
      code: 'invalid_argument',
      message,
      details: { field },
    });
  });

  it.each(['__proto__=1', 'constructor=1', 'hole.__proto__.x=1', '{"__proto__":{"x":1}}'])(
    'is not fooled by %s',
    (text) => {
      expect(refusalOf(text)).toMatchObject({ details: { reason: 'unknown_field' } });
    },
  );

  it.each(['{', '{"width":1,"width":2}', '{"width":1}x'])(
    'refuses %s, which is no JSON',
    (text) => {
      const { details, message } = refusalOf(text);
      expect(details).toEqual({ field: 'size' });
      expect(message).toMatch(/^--size is not valid JSON: ./);
    },
  );
});

describe('an option whose keys are free', () => {
  const schema: JsonSchema = {
    type: 'object',
    patternProperties: { '^.*$': { type: 'string', maxLength: 12 } },
  };
  const channels = { field: 'channels', shown: '--channels' };
  const take = (text: string): unknown => valueOfOption(schema, channels, text);

  it.each<[text: string, value: object]>([
    ['1=SIM00001/0', { 1: 'SIM00001/0' }],
    ['1=SIM00001/0,can-0.5=a=b', { 1: 'SIM00001/0', 'can-0.5': 'a=b' }],
    ['{"1":"SIM00001/0","x,y":"z"}', { 1: 'SIM00001/0', 'x,y': 'z' }],
  ])('is read from %s', (text, value) => {
    expect(take(text)).toEqual(value);
  });

  it('keeps a key that objects have of their own', () => {
    expect(Object.entries(take('__proto__=x') as object)).toEqual([['__proto__', 'x']]);
  });

  it.each<[text: string, field: string, message: RegExp]>([
    ['1', 'channels', /^--channels must be <key>=<value>/],
    ['=x', 'channels', /^--channels must be <key>=<value>/],
    ['1=a,,2=b', 'channels', /^--channels must be <key>=<value>/],
    ['1=a,1=b', 'channels.1', /^1 of --channels is given more than once$/],
    ['1=', 'channels.1', /^1 of --channels must not be empty$/],
    ['1=much-too-long-for-it', 'channels.1', /^1 of --channels must have at most 12 characters$/],
    ['{"1":2}', 'channels.1', /^1 of --channels must be text$/],
  ])('refuses %s', (text, field, message) => {
    expect(() => take(text)).toThrow(message);
    expect(() => take(text)).toThrow(expect.objectContaining({ details: { field } }));
  });
});
