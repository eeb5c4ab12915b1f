import { describe, expect, it } from 'vitest';
import { busCode } from '../../frame/frm2-layout.ts';
import { channelKey } from '../../trace/channel-key.ts';
import { isChannelNumber, replayRoutes } from './replay-routes.ts';

const can = (channel: number): number => channelKey(channel, busCode.can);
const lin = (channel: number): number => channelKey(channel, busCode.lin);

const numbered = (mappings: Record<string, string>) =>
  replayRoutes(new Map(Object.entries(mappings)), false);

/** Channels of the interfaces in a candump log, in the order of appearance. */
const named = (mappings: Record<string, string>, ...names: string[]) => {
  const routes = replayRoutes(new Map(Object.entries(mappings)), true);
  const entries = names.map((name, index) => [index + 1, name] as const);
  // Later pages of a file contain all names so far.
  for (let known = 1; known <= entries.length; known++) routes.learn(entries.slice(0, known));
  return names.map((_, index) => routes.targetOf(index + 1));
};

describe('the routes of a file whose channels have numbers', () => {
  it('lead from the number of a channel of CAN or of LIN', () => {
    const routes = numbered({ 1: 'a', 2: 'b' });
    expect([can(1), lin(1), can(2), lin(2), can(3)].map((key) => routes.targetOf(key))).toEqual([
      'a',
      'a',
      'b',
      'b',
      undefined,
    ]);
  });

  it('tell CAN 1 and LIN 1 apart where a letter does', () => {
    for (const mappings of [
      { 1: 'a', L1: 'b' },
      { L1: 'b', 1: 'a' },
      { C1: 'a', L1: 'b', 1: 'c' },
    ]) {
      const routes = numbered(mappings);
      expect([routes.targetOf(can(1)), routes.targetOf(lin(1))]).toEqual(['a', 'b']);
    }
    expect(numbered({ L1: 'b' }).targetOf(can(1))).toBeUndefined();
    expect(numbered({ C1: 'a' }).targetOf(lin(1))).toBeUndefined();
  });

  it('do not lead from names, even those that look like numbers', () => {
    const routes = numbered({ 1: 'a' });
    routes.learn([[2, '1']]);
    expect(routes.targetOf(can(2))).toBeUndefined();
    expect(routes.targetOf(can(1))).toBe('a');
  });
});

describe('the routes of a file whose channels have names', () => {
  it.each<[mappings: Record<string, string>, names: string[], targets: (string | undefined)[]]>([
    [{ can1: 'a' }, ['can0', 'can1'], [undefined, 'a']],
    [{ 2: 'a', can0: 'b' }, ['can0', 'can1'], ['b', 'a']],
    [{ C2: 'a' }, ['can0', 'can1'], [undefined, 'a']],
    [{ 1: 'a' }, ['2', '1'], [undefined, 'a']],
    [{ 1: 'a', 2: 'b' }, ['2', '1'], ['b', 'a']],
    [{ 1: 'a' }, ['can0', '1'], ['a', undefined]],
    [{ 1: 'a', can0: 'b' }, ['can0', '1'], ['b', 'a']],
    [{ L1: 'a' }, ['can0', 'L1'], [undefined, 'a']],
  ])('lead for %j from %j to %j: one channel for each', (mappings, names, targets) => {
    expect(named(mappings, ...names)).toEqual(targets);
  });
});

describe('the number of a channel', () => {
  it('counts from 1, with a letter before it or not', () => {
    for (const text of ['1', '65535', 'C1', 'L12']) expect(isChannelNumber(text)).toBe(true);
    for (const text of ['0', 'L0', '01', '65536', 'l1', 'X1', '', 'L', '1.5', 'can0', '-1']) {
      expect(isChannelNumber(text)).toBe(false);
    }
  });
});
