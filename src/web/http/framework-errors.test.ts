import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { busbarErrorOf } from './framework-errors.ts';

const withCode = (code: unknown): Error => Object.assign(new Error('inner words'), { code });

describe('busbarErrorOf', () => {
  it.each([
    ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'unsupported_media_type'],
    ['FST_ERR_BAD_URL', 'invalid_argument'],
    ['ECONNRESET', 'invalid_argument'],
    ['FST_ERR_MAX_PARAM_LENGTH', 'endpoint_not_found'],
  ])('reads the framework’s %s as %s', (theirs, ours) => {
    const error = busbarErrorOf(withCode(theirs));
    expect(error.code).toBe(ours);
    expect(error.message).not.toContain('inner words');
  });

  it('leaves our own errors alone', () => {
    const error = new BusbarError('job_not_found');
    expect(busbarErrorOf(error)).toBe(error);
  });

  it.each<[kind: string, thrown: unknown]>([
    ['an error without a code', new TypeError('inner words')],
    ['another error of the framework', withCode('FST_ERR_SOMETHING_ELSE')],
    ['an error of the system', withCode('ENOENT')],
    ['a code that is a number', withCode(7)],
    ['a code that every object has', withCode('toString')],
    ['another code that every object has', withCode('constructor')],
    ['the code __proto__', withCode('__proto__')],
    ['a text', 'inner words'],
    ['a record', { code: 'x' }],
    ['null', null],
    ['undefined', undefined],
  ])('takes %s for a defect and keeps it as the cause', (_, thrown) => {
    const error = busbarErrorOf(thrown);
    expect(error).toBeInstanceOf(BusbarError);
    expect(error.code).toBe('internal_error');
    expect(error.cause).toBe(thrown);
    expect(error.message).not.toContain('inner words');
  });
});
