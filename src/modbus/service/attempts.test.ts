import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { BusbarError, type ErrorDetails } from '../../base/errors/busbar-error.ts';
import type { ErrorCode } from '../../base/errors/table.ts';
import { attempt } from './attempts.ts';

const failing = (code: ErrorCode, details: ErrorDetails = {}): BusbarError =>
  new BusbarError(code, { details });

/** Fails with each of the errors, and then succeeds. */
const script = (...errors: readonly unknown[]) => {
  const made: number[] = [];
  return {
    made,
    make: async () => {
      const error = errors[made.length];
      made.push(made.length);
      if (error !== undefined) throw error;
      return { values: ['1'] };
    },
  };
};

const timeout = failing('modbus_timeout', { unit: 1 });

/** Steps of the tested code that take no time. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 8; turn++) await undefined;
};

describe('attempts at a request', () => {
  it('are one, unless more are asked for', async () => {
    const { make, made } = script(timeout);
    await expect(
      attempt({ retries: 0, trace: false }, new FakeClock(), undefined, make),
    ).rejects.toMatchObject({
      code: 'modbus_timeout',
      details: { unit: 1, attempts: 1 },
    });
    expect(made).toHaveLength(1);
  });

  it('go on until there is an answer, and are counted', async () => {
    const { make } = script(timeout, failing('modbus_unreachable'));
    expect(await attempt({ retries: 5, trace: false }, new FakeClock(), undefined, make)).toEqual({
      values: ['1'],
      attempts: 3,
    });
  });

  it('end with the last failure, and are counted in it', async () => {
    const { make } = script(timeout, timeout, timeout, timeout);
    await expect(
      attempt({ retries: 2, trace: false }, new FakeClock(), undefined, make),
    ).rejects.toMatchObject({
      details: { attempts: 3 },
    });
  });

  it('end with an exception, which is an answer', async () => {
    const { make } = script(failing('modbus_exception', { exception: 2 }));
    await expect(
      attempt({ retries: 5, trace: false }, new FakeClock(), undefined, make),
    ).rejects.toMatchObject({
      details: { exception: 2, attempts: 1 },
    });
  });

  it.each([
    failing('invalid_argument', { field: 'unit' }),
    failing('operation_cancelled'),
    new TypeError('A defect'),
  ])('end at once with what is no failure of the line: %s', async (error) => {
    const { make, made } = script(error);
    const thrown = await attempt(
      { retries: 5, trace: false },
      new FakeClock(),
      undefined,
      make,
    ).catch((found: unknown) => found);
    expect(made).toHaveLength(1);
    expect(thrown).toMatchObject(error instanceof BusbarError ? error : { cause: error });
    expect((thrown as BusbarError).details).not.toHaveProperty('attempts');
  });

  it('wait as long as the link is left alone, and no longer than their caller', async () => {
    const clock = new FakeClock();
    const away = failing('modbus_unreachable', { retry_in_ms: 100 });
    const { make, made } = script(away, away);
    const cancel = new AbortController();
    const answer = attempt({ retries: 5, trace: false }, clock, cancel.signal, make);
    await settled();
    expect(made).toHaveLength(1);
    clock.advanceUs(100_000);
    await settled();
    expect(made).toHaveLength(2);
    clock.advanceUs(99_999);
    await settled();
    expect(made).toHaveLength(2);
    cancel.abort();
    await expect(answer).rejects.toMatchObject({ code: 'operation_cancelled' });
    expect(clock.pendingTimers).toBe(0);
  });

  it('are not those that were refused because the link is left alone', async () => {
    const clock = new FakeClock();
    const refused = failing('modbus_unreachable');
    const leftAlone = failing('modbus_unreachable', { retry_in_ms: 1 });
    const { make, made } = script(refused, leftAlone, refused, leftAlone);
    const answer = attempt({ retries: 2, trace: false }, clock, undefined, make);
    for (let ms = 0; ms < 5; ms++) {
      await settled();
      clock.advanceUs(1000);
    }
    expect(await answer).toMatchObject({ attempts: 3 });
    expect(made).toHaveLength(5);
    const atOnce = script(leftAlone);
    await expect(
      attempt({ retries: 0, trace: false }, clock, undefined, atOnce.make),
    ).rejects.toMatchObject({
      details: { attempts: 1, retry_in_ms: 1 },
    });
  });

  it('keep the raw bytes of all of them, in answers and in errors', async () => {
    const bytes = Uint8Array.of(1, 0xab);
    let made = 0;
    const make = (ends: 'well' | 'badly') =>
      attempt({ retries: 1, trace: true }, new FakeClock(), undefined, async (trace) => {
        made += 1;
        trace?.listen('tx', bytes, 1000 + made);
        if (ends === 'badly' || made === 1) throw timeout;
        return {};
      });
    const sent = (timestamp_us: number) => ({ timestamp_us, direction: 'tx', data: '01AB' });
    expect(await make('well')).toEqual({ attempts: 2, trace: [sent(1001), sent(1002)] });
    await expect(make('badly')).rejects.toMatchObject({
      details: { attempts: 2, trace: [sent(1003), sent(1004)] },
    });
  });
});
