import { describe, expect, it } from 'vitest';
import { parseHex } from '../frame/hex-bytes.ts';
import { SessionState } from './session-state.ts';

const bytes = (text: string): Uint8Array => parseHex(text, { field: 'payload', maxLength: 64 });
const defaults = { p2Us: 50_000, p2StarUs: 5_000_000 };
const extended = { p2Us: 25_000, p2StarUs: 2_000_000 };

/** In the extended session at level 1, with other times. */
const unlocked = (): SessionState => {
  const state = new SessionState(defaults);
  state.finished(bytes('1003'), bytes('5003001900C8'), 0);
  state.finished(bytes('2702AB'), bytes('6702'), 0);
  return state;
};

describe('the session of a server', () => {
  it.each<[string, string | null, number, number, typeof defaults]>([
    ['22F190', '62F190AA', 3, 1, extended],
    ['1003', '5003001900C8', 3, 0, extended],
    ['1002', '5002003201F4', 2, 0, defaults],
    ['1002', '5002', 2, 0, defaults],
    ['1002', '500200000000', 2, 0, defaults],
    ['1001', '5001001900C8', 1, 0, extended],
    ['1002', '7F1022', 3, 1, extended],
    ['1082', null, 2, 0, defaults],
    ['1002', null, 3, 1, extended],
    ['1101', '5101', 1, 0, defaults],
    ['1181', null, 1, 0, defaults],
    ['1104', '5104FF', 3, 1, extended],
    ['1101', '7F1122', 3, 1, extended],
    ['2703', '6703AABB', 3, 1, extended],
    ['2703', '67030000', 3, 3, extended],
    ['2704AA', '6704', 3, 3, extended],
    ['2704AA', '7F2735', 3, 1, extended],
    ['', null, 3, 1, extended],
  ])('after %s with response %s is %i, level %i', (request, response, session, level, timers) => {
    const state = unlocked();
    state.finished(bytes(request), response === null ? null : bytes(response), 9);
    expect(state).toMatchObject({ session, securityLevel: level, timers });
  });

  it('returns to the default after S3 without requests', () => {
    const state = unlocked();
    expect(state.deadlineUs).toBe(5_000_000);
    state.expire(4_999_999);
    expect(state.session).toBe(3);
    state.expire(5_000_000);
    expect(state).toMatchObject({ session: 1, securityLevel: 0, timers: defaults });
    expect(state.deadlineUs).toBe(Number.POSITIVE_INFINITY);
  });

  it('stays while a request is under way, and for S3 after TesterPresent', () => {
    const state = unlocked();
    state.began();
    state.expire(90_000_000);
    expect(state.session).toBe(3);
    state.active(90_000_000);
    expect(state.deadlineUs).toBe(95_000_000);
  });

  it('has no S3 in the default session', () => {
    const state = new SessionState(defaults);
    state.finished(bytes('22F190'), bytes('62F190AA'), 0);
    expect(state.deadlineUs).toBe(Number.POSITIVE_INFINITY);
  });

  it('is the default after the link was lost', () => {
    const state = unlocked();
    state.reset();
    expect(state).toMatchObject({ session: 1, securityLevel: 0, timers: defaults });
  });
});
