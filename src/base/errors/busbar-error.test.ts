import { describe, expect, it } from 'vitest';
import { BusbarError, type ErrorRecord, invalidArgument, withField } from './busbar-error.ts';
import { retryableUnlessLasting } from './lasting-reasons.ts';
import { errorCodes, errorTable } from './table.ts';

const received = (error: BusbarError): ErrorRecord => JSON.parse(JSON.stringify(error.toRecord()));

describe('BusbarError', () => {
  it('speaks in the words of the table unless given its own', () => {
    expect(new BusbarError('job_not_found').message).toBe(errorTable.job_not_found.message);
    const own = new BusbarError('job_not_found', { message: 'job-7 is gone' });
    expect(own.message).toBe('job-7 is gone');
  });

  it('is an Error that knows its row and keeps its cause', () => {
    const cause = new RangeError('inner');
    const error = new BusbarError('capacity_exceeded', { cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'BusbarError', code: 'capacity_exceeded', details: {} });
    expect(error.cause).toBe(cause);
    expect(error.row).toBe(errorTable.capacity_exceeded);
  });

  it.each(errorCodes)('crosses a border as a record and comes back the same: %s', (code) => {
    const sent = new BusbarError(code, {
      message: 'This once',
      details: { field: 'a[0].b', n: 1 },
    });
    const record = received(sent);
    expect(record).toEqual({
      code,
      message: 'This once',
      details: { field: 'a[0].b', n: 1 },
      retryable: errorTable[code].retryable,
    });
    const rebuilt = BusbarError.fromRecord(record);
    expect(rebuilt).toBeInstanceOf(BusbarError);
    expect(rebuilt.toRecord()).toEqual(record);
  });

  it('brings the hint of this occurrence along, among the details, and no other', () => {
    const own = new BusbarError('busy', { details: { slot: 1 }, hint: 'Run this' });
    expect(own.toRecord().details).toEqual({ slot: 1, hint: 'Run this' });
    expect(BusbarError.fromRecord(received(own))).toMatchObject({
      details: { slot: 1 },
      hint: 'Run this',
    });
    expect(new BusbarError('busy').toRecord().details).toEqual({});
    expect(withField('name', own)).toMatchObject({ hint: 'Run this' });
  });

  it('says of this occurrence whether a retry may help, across borders and in other words', () => {
    const lasting = new BusbarError('capacity_exceeded', { retryable: false });
    expect(lasting.toRecord().retryable).toBe(false);
    expect(BusbarError.fromRecord(received(lasting)).retryable).toBe(false);
    expect(withField('file', lasting).retryable).toBe(false);
    const worded = lasting.with({ message: 'a: full', details: { a: 1 } });
    expect(worded).toMatchObject({ message: 'a: full', details: { a: 1 }, retryable: false });
    expect(worded.cause).toBe(lasting);
    expect(new BusbarError('capacity_exceeded').retryable).toBe(true);
  });

  it('is worth a retry unless its reason lasts', () => {
    const lasting = ['ENOENT', 'EACCES', 'ENOTFOUND', 'not_a_serial_port'];
    expect(lasting.map(retryableUnlessLasting)).toEqual([false, false, false, false]);
    const passing = ['ECONNREFUSED', 'EAI_AGAIN', 'hung_up', 'in_use', undefined];
    expect(passing.map(retryableUnlessLasting)).toEqual([true, true, true, true, true]);
  });

  it('keeps its cause and its stack on this side of the border', () => {
    const cause = new Error('private');
    const text = JSON.stringify(new BusbarError('internal_error', { cause }).toRecord());
    expect(text).not.toMatch(/private|stack|cause|busbar-error/);
  });

  it.each(['from_a_newer_version', 'toString', ''])(
    'reads the unknown code %j of a record as a defect',
    (code) => {
      const record = { code, message: 'Beyond us', details: {}, retryable: true };
      const error = BusbarError.fromRecord(record as unknown as ErrorRecord);
      expect(error.toRecord()).toMatchObject({ code: 'internal_error', retryable: false });
    },
  );
});

describe('BusbarError.from', () => {
  it('hands back an error that has a code already', () => {
    const error = new BusbarError('unauthorized');
    expect(BusbarError.from(error)).toBe(error);
  });

  it.each([new Error('the secret'), new TypeError('the secret'), 'the secret', null, undefined, 7])(
    'makes a defect of anything else: %s',
    (thrown) => {
      const error = BusbarError.from(thrown);
      expect(error.toRecord()).toEqual({
        code: 'internal_error',
        message: errorTable.internal_error.message,
        details: {},
        retryable: false,
      });
      expect(error.cause).toBe(thrown);
    },
  );
});

describe('invalidArgument', () => {
  it('names the field at fault, beside what else is known', () => {
    const error = invalidArgument('port', 'port is taken', { limit: 9 });
    expect(error).toMatchObject({ code: 'invalid_argument', message: 'port is taken' });
    expect(error.details).toEqual({ field: 'port', limit: 9 });
  });
});

describe('withField', () => {
  it('names another field in the same refusal, and keeps what it tells', () => {
    const inner = invalidArgument('channel', 'LIN is not forwarded', { channel: 'lin0' });
    const error = withField('channels', inner, { index: 2 });
    expect(error).toMatchObject({ code: 'invalid_argument', message: 'LIN is not forwarded' });
    expect(error.details).toEqual({ field: 'channels', channel: 'lin0', index: 2 });
    expect(error.cause).toBe(inner);
  });
});
