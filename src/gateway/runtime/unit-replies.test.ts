import { describe, expect, it } from 'vitest';
import { readRequest, writeRegisterRequest } from '../../modbus/pdu/make-request.ts';
import { rule } from '../engine/testing/rules.ts';
import { startPolls, UnitRig } from './testing/unit-rig.ts';

const poll = { poll: 0, periodMs: 1000, request: readRequest('holding', 0, 1) };

/** A link with a poll in progress whose unit is silent; its transaction is 1. */
const asked = () => {
  const rig = new UnitRig('tcp', []);
  const made = rig.link();
  startPolls(made.link, [poll]);
  rig.advanceMs(2);
  return { rig, ...made };
};

describe('the replies of a unit', () => {
  it.each([
    ['another transaction', '000200000005010302002a'],
    ['another unit', '000100000005020302002a'],
  ])(rule('matching replies', 'are none with %s'), (_, hex) => {
    const { rig, owner } = asked();
    rig.transport.last.receive(hex);
    rig.advanceMs(500);
    expect(owner.take('polled')).toEqual([]);
  });

  it(rule('matching replies', 'have the number of their request, which counts on'), () => {
    const rig = new UnitRig();
    const { link, owner } = rig.link();
    startPolls(link, [{ ...poll, periodMs: 10 }]);
    rig.advanceMs(21);
    link.submit(0, [{ kind: 'write', request: writeRegisterRequest(1, 2) }]);
    rig.advanceMs(10);
    const numbers = rig.written.map((hex) => Number.parseInt(hex.slice(0, 4), 16));
    expect(numbers.length).toBeGreaterThan(4);
    expect(numbers).toEqual(numbers.map((_, place) => (numbers[0] as number) + place));
    expect(owner.take('settled')).toHaveLength(1);
  });

  it.each([
    ['a time-out', undefined],
    ['what is no reply', '000100010005010302002a'],
    ['the reply to another function', '000100000005010402002a'],
  ])(rule('closed after errors', 'come over a new connection after %s'), (_, hex) => {
    const { rig, owner } = asked();
    const [first] = rig.transport.links;
    if (hex !== undefined) first?.receive(hex);
    rig.advanceMs(150);
    expect(first?.isClosed).toBe(true);
    // A late response is discarded.
    first?.receive('000100000005010302002a');
    expect(owner.take('polled')).toEqual([]);
    rig.advanceMs(1000);
    expect(rig.transport.links.length).toBeGreaterThan(1);
  });
});
