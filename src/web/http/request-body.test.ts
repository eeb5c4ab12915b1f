import { describe, expect, it } from 'vitest';
import { limits } from '../../operations/limits.ts';
import { parseBody } from './request.ts';

const read = (type: string | undefined, text: string): unknown =>
  parseBody(type, Buffer.from(text));

describe('parseBody', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; charset = "utf-8" ',
    'Application/JSON',
  ])('reads %s', (type) => {
    expect(read(type, '{"a":[1,"ü"]}')).toEqual({ a: [1, 'ü'] });
  });

  it.each([
    undefined,
    '',
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/json-seq',
    'application/vnd.api+json',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; boundary=x',
    'application/json, text/plain',
    'xapplication/json',
  ])('does not read %s', (type) => {
    expect(() => read(type, '{}')).toThrow(
      expect.objectContaining({ code: 'unsupported_media_type' }),
    );
  });

  it('takes no type and no bytes for no body', () => {
    expect(read(undefined, '')).toBeUndefined();
  });

  it.each(['', ' ', '{', '{"a":1,}', '{"a":1}{', '{"a":1,"a":2}', "{'a':1}", 'NaN', '\uFEFF{}'])(
    'refuses %j as JSON',
    (text) => {
      expect(() => read('application/json', text)).toThrow(
        expect.objectContaining({ code: 'invalid_argument' }),
      );
    },
  );

  it('reads as deep as the limit and no deeper', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(read('application/json', nested(limits.jsonDepth))).toBeInstanceOf(Array);
    expect(() => read('application/json', nested(limits.jsonDepth + 1))).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ reason: 'too_deep' }) }),
    );
  });

  it.each(['{"channel":"t","id":01}', '{"channel":"t","id":1}x', '{"id":1,,"channel":"t"}'])(
    'keeps what is to be told back of %j',
    (text) => {
      expect(() => parseBody('application/json', Buffer.from(text), ['channel'])).toThrow(
        expect.objectContaining({ details: expect.objectContaining({ channel: 't' }) }),
      );
    },
  );
});
