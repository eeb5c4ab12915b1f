import { describe, expect, it } from 'vitest';
import { InterfaceNames } from './interface-names.ts';

const numbersOf = (names: InterfaceNames, ...spelt: string[]): number[] =>
  spelt.map((name) => {
    const bytes = Buffer.from(`x${name} `);
    return names.numberOf(bytes, 1, bytes.length - 1);
  });

describe('the interfaces of a candump log', () => {
  it('have the numbers in their names, in whatever order they come', () => {
    const names = new InterfaceNames();
    expect(numbersOf(names, 'can1', 'can0', 'can10', 'can1', 'can0')).toEqual([2, 1, 11, 2, 1]);
    expect([...names.names]).toEqual([
      [2, 'can1'],
      [1, 'can0'],
      [11, 'can10'],
    ]);
  });

  it('get the lowest free numbers where their names have none', () => {
    const names = new InterfaceNames();
    expect(numbersOf(names, 'can1', 'vcan0', 'powertrain', 'can01', 'vcan0')).toEqual([
      2, 1, 3, 4, 1,
    ]);
  });

  it('share no number: one that is taken gives way', () => {
    const names = new InterfaceNames();
    expect(numbersOf(names, 'vcan0', 'can0', 'can1', 'can0')).toEqual([1, 2, 3, 2]);
  });

  it('have the numbers that are behind their names, and are called without them', () => {
    const names = new InterfaceNames();
    expect(numbersOf(names, 'body@7', 'can0@3', 'body@7', 'body')).toEqual([7, 3, 7, 1]);
    expect([...names.names]).toEqual([
      [7, 'body'],
      [3, 'can0'],
      [1, 'body'],
    ]);
  });

  it('are no channels beyond what numbers there are', () => {
    const names = new InterfaceNames();
    expect(numbersOf(names, 'can65535', 'can65534', 'far@70000')).toEqual([1, 65_535, 2]);
  });

  it('are spelt so that they are read with the numbers of their channels', () => {
    const channels: [number, string][] = [
      [2, 'can1'],
      [3, 'body'],
      [1, 'powertrain'],
      [4, 'can0'],
      [5, 'body'],
      [6, 'odd@9'],
      [7, 'body'],
      [65_535, 'last'],
    ];
    const written = new InterfaceNames();
    const spelt = channels.map(([channel, name]) => written.spellingFor(channel, name));
    expect(spelt).toEqual([
      'can1',
      'body@3',
      'powertrain',
      'can0',
      'body',
      'odd@9@6',
      'body@7',
      'last@65535',
    ]);
    const read = new InterfaceNames();
    numbersOf(read, ...spelt);
    expect([...read.names]).toEqual(channels);
  });

  it('are a thousand at most', () => {
    const names = new InterfaceNames();
    const many = Array.from({ length: 1001 }, (_, i) => `if${i}`);
    expect(numbersOf(names, ...many).slice(-2)).toEqual([1000, 0]);
  });
});
