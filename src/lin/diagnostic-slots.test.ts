import { describe, expect, it } from 'vitest';
import { DiagnosticSlots, type SlotUser } from './diagnostic-slots.ts';

/** A user with one frame, which is its name. */
const userOf = (name: number, log: string[]): SlotUser => {
  let hasFrame = true;
  return {
    entered: () => void log.push(`${name} entered`),
    ended: () => void log.push(`${name} ended`),
    nextFrame: () => (hasFrame ? Uint8Array.of(name) : null),
    settled: (isSent) => {
      log.push(`${name} ${isSent ? 'sent' : 'not sent'}`);
      hasFrame = !isSent;
    },
  };
};

const setUp = () => {
  const log: string[] = [];
  const [one, two, single] = [userOf(1, log), userOf(2, log), userOf(3, log)];
  const slots = new DiagnosticSlots(() => 1000);
  const next = () => slots.next(0)?.[0];
  return { log, one, two, single, slots, next };
};

describe('diagnostic slots', () => {
  it('belong to one user until it leaves, and then to the next', () => {
    const { log, one, two, slots, next } = setUp();
    slots.join(one, 0);
    slots.join(two, 0);
    expect(next()).toBe(1);
    expect(next()).toBeUndefined();
    slots.settled(true, 0);
    expect(next()).toBeUndefined();
    slots.leave(one, 0);
    expect(next()).toBe(2);
    expect(log).toEqual(['1 entered', '1 sent', '2 entered']);
  });

  it('offer a frame again that was not sent', () => {
    const { one, slots, next } = setUp();
    slots.join(one, 0);
    expect(next()).toBe(1);
    slots.settled(false, 0);
    expect(next()).toBe(1);
  });

  it('carry single frames between those of the user', () => {
    const { one, single, slots, next } = setUp();
    slots.addSingle(single);
    slots.addSingle(single);
    slots.join(one, 0);
    expect(next()).toBe(1);
    slots.settled(true, 0);
    expect(next()).toBe(3);
    slots.settled(true, 0);
    expect(next()).toBeUndefined();
  });

  it('report no frame to a user that has left', () => {
    const { log, one, two, slots, next } = setUp();
    slots.join(one, 0);
    next();
    slots.leave(one, 0);
    slots.join(two, 0);
    expect(next()).toBeUndefined();
    slots.settled(true, 0);
    expect(next()).toBe(2);
    expect(log).toEqual(['1 entered', '2 entered']);
  });

  it('end for all users with their schedule', () => {
    const { log, one, two, slots, next } = setUp();
    slots.join(one, 0);
    slots.join(two, 0);
    next();
    slots.end();
    expect(slots.isInUse).toBe(false);
    expect(next()).toBeUndefined();
    expect(log).toEqual(['1 entered', '1 ended', '2 ended']);
  });
});
