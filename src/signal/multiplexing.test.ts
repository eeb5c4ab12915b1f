import { describe, expect, it } from 'vitest';
import type { Message, Signal } from '../database/model.ts';
import { compileDecoder } from './compile-decoder.ts';
import { aMessage, aSignal, viewOf, when } from './testing/models.ts';

/** Names of the signals contained in payloads. */
const presenceIn = (message: Message) => {
  const { signals, decode, newValues } = compileDecoder(message);
  const values = newValues();
  return (...payload: number[]): string[] => {
    decode(viewOf(Uint8Array.from(payload)), 0, payload.length, values);
    return signals.filter((_, number) => values.has(number)).map(({ name }) => name);
  };
};

const present = (message: Message, ...payload: number[]): string[] =>
  presenceIn(message)(...payload);

const inByte = (byte: number, name: string, given: Partial<Signal> = {}): Signal =>
  aSignal({ name, startBit: byte * 8, ...given });

describe('multiplexing', () => {
  const nested = aMessage([
    inByte(0, 'Service', { isSwitch: true }),
    inByte(1, 'Mode', { isSwitch: true, multiplexing: when('Service', [1, 3], 9) }),
    inByte(2, 'Page', { isSwitch: true, multiplexing: when('Mode', 0, [100, 200]) }),
    inByte(3, 'Torque', { multiplexing: when('Page', 7) }),
    inByte(3, 'Current', { multiplexing: when('Page', [8, 255]) }),
    inByte(4, 'Other', { multiplexing: when('Service', 4) }),
    inByte(5, 'Counter'),
  ]);

  it('follows switches under switches', () => {
    expect(present(nested, 2, 150, 7, 0, 0, 0)).toEqual([
      'Service',
      'Mode',
      'Page',
      'Torque',
      'Counter',
    ]);
    expect(present(nested, 9, 0, 255, 0, 0, 0)).toContain('Current');
  });

  it('takes both ends of a range and nothing beyond', () => {
    const hasPage = (mode: number) => present(nested, 1, mode, 0, 0, 0, 0).includes('Page');
    expect([99, 100, 200, 201].map(hasPage)).toEqual([false, true, true, false]);
  });

  it('reads everything else when no signal goes with the value of a switch', () => {
    expect(present(nested, 77, 150, 7, 0, 0, 0)).toEqual(['Service', 'Counter']);
    expect(present(nested, 4, 150, 7, 0, 0, 0)).toEqual(['Service', 'Other', 'Counter']);
  });

  it('leaves out what depends on a switch that a short payload lacks', () => {
    expect(present(nested, 2, 150)).toEqual(['Service', 'Mode']);
    const late = aMessage([
      inByte(3, 'Switch', { isSwitch: true }),
      inByte(0, 'Early', { multiplexing: when('Switch', 0) }),
    ]);
    expect(present(late, 0, 0, 0)).toEqual([]);
    expect(present(late, 0, 0, 0, 0)).toEqual(['Switch', 'Early']);
  });

  it('finds one value among very many', () => {
    const many = aMessage([
      aSignal({ name: 'Index', length: 16, isSwitch: true }),
      ...Array.from({ length: 1000 }, (_, value) =>
        inByte(2, `Cell${value}`, { multiplexing: when('Index', value * 3) }),
      ),
    ]);
    const presentIn = presenceIn(many);
    for (const value of [0, 1, 500, 999]) {
      const raw = value * 3;
      expect(presentIn(raw & 0xff, raw >> 8, 0)).toEqual(['Index', `Cell${value}`]);
      expect(presentIn((raw + 1) & 0xff, (raw + 1) >> 8, 0)).toEqual(['Index']);
    }
  });

  it('lets signals share some values of a switch', () => {
    const shared = aMessage([
      inByte(0, 'Switch'),
      inByte(1, 'Low', { multiplexing: when('Switch', [0, 10]) }),
      inByte(2, 'High', { multiplexing: when('Switch', [5, 20]) }),
    ]);
    expect(present(shared, 4, 0, 0)).toEqual(['Switch', 'Low']);
    expect(present(shared, 7, 0, 0)).toEqual(['Switch', 'Low', 'High']);
    expect(present(shared, 20, 0, 0)).toEqual(['Switch', 'High']);
  });

  it('knows a value of a signed switch in both ways of writing it', () => {
    const message = aMessage([
      inByte(0, 'Switch', { kind: 'signed' }),
      inByte(1, 'Unsigned', { multiplexing: when('Switch', 255) }),
      inByte(2, 'Signed', { multiplexing: when('Switch', [-1, 1]) }),
    ]);
    expect(present(message, 0xff, 0, 0)).toEqual(['Switch', 'Unsigned', 'Signed']);
    expect(present(message, 0x01, 0, 0)).toEqual(['Switch', 'Signed']);
    expect(present(message, 0xfe, 0, 0)).toEqual(['Switch']);
  });

  it('tells the values of a switch of 64 bits apart', () => {
    const value = 2n ** 60n + 1n;
    const message = aMessage([
      aSignal({ name: 'Switch', length: 64 }),
      inByte(0, 'Child', {
        multiplexing: { switch: 'Switch', ranges: [{ from: value, to: value }] },
      }),
    ]);
    expect(present(message, 1, 0, 0, 0, 0, 0, 0, 0x10)).toEqual(['Switch', 'Child']);
    expect(present(message, 0, 0, 0, 0, 0, 0, 0, 0x10)).toEqual(['Switch']);
  });

  it('never shows a signal whose values its switch cannot have', () => {
    const message = aMessage([
      inByte(0, 'Switch', { length: 2 }),
      inByte(1, 'Child', { multiplexing: when('Switch', [4, 9]) }),
    ]);
    expect([0, 1, 2, 3].flatMap((value) => present(message, value, 0))).not.toContain('Child');
  });

  it('refuses a switch that is not there', () => {
    const orphan = inByte(1, 'Orphan', { multiplexing: when('Gone', 1) });
    expect(() => compileDecoder(aMessage([orphan]))).toThrow('Orphan depends on Gone');
  });

  it('reads other signals all the same when one not asked for is unsound', () => {
    const orphan = inByte(1, 'Orphan', { multiplexing: when('Gone', 1) });
    const message = aMessage([orphan, inByte(0, 'Sound'), inByte(0, 'Empty', { length: 0 })]);
    const { signals } = compileDecoder(message, [1]);
    expect(signals.map(({ name }) => name)).toEqual(['Sound']);
  });

  it('refuses signals that depend on each other in a circle', () => {
    const circle = aMessage([
      inByte(0, 'Hen', { multiplexing: when('Egg', 1) }),
      inByte(1, 'Egg', { multiplexing: when('Hen', 1) }),
    ]);
    expect(() => compileDecoder(circle)).toThrow('depends on itself');
  });
});
