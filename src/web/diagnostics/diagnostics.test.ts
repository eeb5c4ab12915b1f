import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { errorTable } from '../../base/errors/table.ts';
import { cases } from '../../base/testing/long.ts';
import type { LogLevel } from '../../operations/limits.ts';
import type { LogDestination } from './destination.ts';
import { Diagnostics } from './diagnostics.ts';

class MemoryDestination implements LogDestination {
  readonly name = 'memory';
  readonly lines: string[] = [];
  full = false;
  closed = false;

  write(record: string): boolean {
    if (!this.full) this.lines.push(record);
    return !this.full;
  }

  reopened = 0;

  reopen(): void {
    if (this.full) throw new BusbarError('file_unavailable');
    this.reopened++;
  }

  close(): void {
    this.closed = true;
  }
}

const setup = (level: LogLevel, secrets: readonly string[] = []) => {
  const clock = new FakeClock({ unixStartUs: 1_700_000_000_000_000 });
  const destination = new MemoryDestination();
  const log = new Diagnostics({ clock, level, destination, secrets });
  const records = () => destination.lines.map((line) => JSON.parse(line));
  return { clock, destination, log, records };
};

const request = { method: 'GET', path: '/api/v1/info', durationUs: 5, requestId: 'r1' };

const hostileText = fc
  .array(fc.oneof(fc.nat(0xffff), fc.nat(0xa0), fc.constantFrom(0x2028, 0x2029, 0x202e, 0xd800)), {
    maxLength: 40,
  })
  .map((units) => String.fromCharCode(...units));

const everyEvent = (log: Diagnostics, text: string): void => {
  const failure = Object.assign(new Error(text), { code: text });
  log.request({ method: text, path: `/${text}`, status: 200, durationUs: 1, requestId: text });
  log.lifecycle('starting', { listen: text });
  log.route({ method: text, path: `/${text}`, hit: true, pattern: text, requestId: text });
  log.errorDetail({ code: 'invalid_argument', requestId: text });
  log.runtimeError(failure);
  log.startupError(new BusbarError('internal_error', { message: text, cause: failure }));
};

describe('the level', () => {
  const logAll = (log: Diagnostics): void => {
    log.lifecycle('starting', { listen: '127.0.0.1:8080' });
    for (const status of [101, 200, 304, 399, 400, 404, 500, 599])
      log.request({ ...request, status });
    log.route({ ...request, hit: true, pattern: '/api/v1/info' });
    log.errorDetail({ code: 'job_not_found' });
    log.startupError(new Error('x'));
    log.runtimeError(new Error('x'));
  };
  const failures = ['request 400', 'request 404', 'request 500', 'request 599'];
  const successes = ['request 101', 'request 200', 'request 304', 'request 399'];
  const errors = ['startup_error', 'runtime_error'];

  it.each<[LogLevel, readonly string[]]>([
    ['off', []],
    ['error', [...failures, ...errors]],
    ['info', ['lifecycle', ...successes, ...failures, ...errors]],
    ['debug', ['lifecycle', ...successes, ...failures, 'route', 'error_detail', ...errors]],
  ])('%s writes exactly its own events', (level, expected) => {
    const { log, records } = setup(level);
    logAll(log);
    const seen = records().map(({ event, status }) => [event, status].filter(Boolean).join(' '));
    expect(seen).toEqual(expected);
  });
});

describe('a record', () => {
  it('holds the facts of a request in a fixed order', () => {
    const { log, destination, clock } = setup('info');
    clock.advanceUs(1_002_003);
    log.request({ ...request, status: 200, durationUs: 1234.6 });
    expect(destination.lines).toEqual([
      '{"time":"2023-11-14T22:13:21.002003Z","level":"info","event":"request","method":"GET",' +
        '"path":"/api/v1/info","status":200,"duration_us":1235,"request_id":"r1"}',
    ]);
  });

  it.each([-1, Number.NaN, Number.NEGATIVE_INFINITY, -0])(
    'turns the duration %d into zero',
    (durationUs) => {
      const { log, destination } = setup('info');
      log.request({ ...request, status: 200, durationUs });
      expect(destination.lines[0]).toContain('"duration_us":0,');
    },
  );

  it('marks failed requests as errors and detail as debug', () => {
    const { log, records } = setup('debug');
    log.request({ ...request, status: 404 });
    log.route({ ...request, hit: false, pattern: null });
    expect(records().map(({ level }) => level)).toEqual(['error', 'debug']);
  });

  it('tells whether and by which pattern a route was hit', () => {
    const { log, records } = setup('debug');
    log.route({ method: 'GET', path: '/jobs/7?x=1', hit: true, pattern: '/jobs/:job_id' });
    log.route({ method: 'GET', path: '/nowhere', hit: false, pattern: null, requestId: 'r2' });
    expect(records()).toMatchObject([
      { event: 'route', method: 'GET', path: '/jobs/7', hit: true, route: '/jobs/:job_id' },
      { event: 'route', path: '/nowhere', hit: false, route: null, request_id: 'r2' },
    ]);
  });

  it('explains an error with the words of the table and withholds the rest', () => {
    const { log, records } = setup('debug');
    log.errorDetail({ code: 'file_not_found', requestId: 'r1' });
    expect(records()[0]).toMatchObject({
      event: 'error_detail',
      code: 'file_not_found',
      message: errorTable.file_not_found.message,
      detail: '[redacted]',
    });
  });

  it('keeps only the declared fields of a lifecycle event', () => {
    const { log, destination } = setup('info');
    const fields = { token: 'hunter2', listen: '[::1]:8080' };
    log.lifecycle('starting', fields);
    expect(destination.lines[0]).toMatch(
      /"event":"lifecycle","name":"starting","listen":"\[::1\]:8080"}$/,
    );
  });

  it('cuts a long path and says so', () => {
    const { log, records } = setup('info');
    log.request({ ...request, path: `/${'a'.repeat(5000)}`, status: 200 });
    log.request({ ...request, path: `/${'a'.repeat(1023)}`, status: 200 });
    const [cut, whole] = records();
    expect(cut.path).toBe(`/${'a'.repeat(1023)}...[cut]`);
    expect(whole.path).toBe(`/${'a'.repeat(1023)}`);
  });

  it('is one line of printable ASCII whatever it is given, and loses none of it', () => {
    const oneLineEach = fc.property(hostileText, (text) => {
      const { log, destination, records } = setup('debug');
      everyEvent(log, text);
      expect(destination.lines).toHaveLength(6);
      for (const line of destination.lines) expect(line).toMatch(/^\{[\x20-\x7e]*\}$/);
      expect(records()[0]).toMatchObject({ method: text, request_id: text });
    });
    fc.assert(oneLineEach, { seed: 11, numRuns: cases(30, 150) });
  });
});

describe('secrecy', () => {
  it('keeps queries, fragments and the authority of absolute targets out of the path', () => {
    const { log, records } = setup('info');
    const paths = {
      '/a?token=x': '/a',
      '/a#x?y': '/a',
      '/a?b#c': '/a',
      '?x': '[redacted]',
      'http://user:pw@host/a/b?c': '/a/b',
      'http://user:pw@host': '/',
      'http://user:p?w@host/a': '/',
      'user:pw@host:80': '[redacted]',
      '*': '*',
    };
    for (const path of Object.keys(paths)) log.request({ ...request, path, status: 200 });
    expect(records().map(({ path }) => path)).toEqual(Object.values(paths));
  });

  it('never lets a registered secret through, in any event and any encoding', () => {
    const printable = fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 });
    const secretText = printable.filter((text) => !/redacted|cut/.test(text));
    const neighbour = fc.string({ unit: 'grapheme-ascii', maxLength: 5 });
    const keeps = fc.property(secretText, neighbour, neighbour, (secret, before, after) => {
      const forms = [
        secret,
        encodeURIComponent(secret),
        encodeURIComponent(encodeURIComponent(secret)),
        JSON.stringify(secret).slice(1, -1),
        Buffer.from(secret).toString('base64'),
        Buffer.from(secret).toString('base64url'),
      ];
      for (const form of forms) {
        const { log, destination, records } = setup('debug', ['', secret]);
        everyEvent(log, before + form + after);
        log.request({ ...request, path: `/${'a'.repeat(1000)}${form}`, status: 200 });
        const texts = records().map((record) => JSON.stringify(Object.values(record)));
        for (const text of [...destination.lines, ...texts]) {
          expect(text).not.toContain(form);
          expect(text).not.toContain(secret);
        }
      }
    });
    fc.assert(keeps, { seed: 13, numRuns: cases(20, 50) });
  });

  it('does not leave the first half of a secret at the cut of a long path', () => {
    const { log, destination } = setup('info', ['correct-horse-battery']);
    log.request({ ...request, path: `/${'a'.repeat(1015)}correct-horse-battery`, status: 200 });
    expect(destination.lines[0]).not.toContain('correct');
  });

  it('logs of a failure where it happened but not what it said', () => {
    const { log, destination, records } = setup('error');
    const cause = Object.assign(new TypeError('body was hunter2'), { code: 'ERR_BAD' });
    log.runtimeError(new BusbarError('internal_error', { message: 'hunter2', cause }));
    expect(destination.lines[0]).not.toContain('hunter2');
    const [record] = records();
    expect(record).toMatchObject({
      event: 'runtime_error',
      class: 'BusbarError',
      code: 'internal_error',
      detail: '[redacted]',
      cause: { class: 'TypeError', code: 'ERR_BAD', detail: '[redacted]' },
    });
    expect(record.frames[0]).toMatch(/^\S+ diagnostics\.test\.ts:\d+:\d+$/);
  });
});

describe('a destination that refuses', () => {
  it('costs records but no request, and the log says how many once it recovers', () => {
    const { log, destination, records } = setup('info');
    log.request({ ...request, status: 200 });
    destination.full = true;
    log.request({ ...request, status: 201 });
    log.runtimeError(new Error('x'));
    expect(log.dropped).toBe(2);
    destination.full = false;
    log.request({ ...request, status: 202 });
    log.request({ ...request, status: 203 });
    expect(records().map(({ status, event, count }) => status ?? `${event} ${count}`)).toEqual([
      200,
      'dropped 2',
      202,
      203,
    ]);
    expect(log.dropped).toBe(2);
  });

  it('is told of lost records at the latest when the log is closed', () => {
    const { log, destination, records } = setup('error');
    destination.full = true;
    log.request({ ...request, status: 500 });
    destination.full = false;
    log.close();
    expect(records()).toMatchObject([{ level: 'error', event: 'dropped', count: 1 }]);
    expect(destination.closed).toBe(true);
  });

  it('is unsound only until it can be written again, also where nothing else is to be told', () => {
    const { log, destination, records } = setup('error');
    expect(log.isSound()).toBe(true);
    destination.full = true;
    log.request({ ...request, status: 500 });
    expect(log.isSound()).toBe(false);
    destination.full = false;
    expect(log.isSound()).toBe(true);
    expect(records()).toMatchObject([{ event: 'dropped', count: 1 }]);
    expect(log.isSound()).toBe(true);
    expect(records()).toHaveLength(1);
    expect(log.dropped).toBe(1);
  });
});

describe('a log that is opened anew', () => {
  it('says so', () => {
    const { log, destination, records } = setup('info');
    log.reopen();
    expect(destination.reopened).toBe(1);
    expect(records()).toMatchObject([
      { event: 'lifecycle', name: 'log_reopened', log_destination: 'memory' },
    ]);
  });

  it('goes on with the old file where it cannot be, and says why', () => {
    const { log, destination, records } = setup('info');
    destination.full = true;
    const reopen = (): void => log.reopen();
    expect(reopen).toThrow(expect.objectContaining({ code: 'file_unavailable' }));
    destination.full = false;
    expect(log.isSound()).toBe(true);
    expect(records()).toMatchObject([{ event: 'dropped', count: 1 }]);
  });
});
