import { describe, expect, it } from 'vitest';
import { PortNumbers } from './channel-table.ts';
import type { KnownDevice } from './device-list.ts';

const device = (sn: string, ...ports: number[]): KnownDevice =>
  ({ driver: 'virtual', info: { sn, uid: sn, ports: ports.map((port) => ({ port })) } }) as never;

describe('the numbers of ports', () => {
  it('follow the order of the bench and not that of opening', () => {
    const numbers = new PortNumbers();
    numbers.learn([device('A', 0, 1), device('B', 0, 1)]);
    expect(numbers.numberOf('B', 1)).toBe(4);
    expect(numbers.numberOf('A', 0)).toBe(1);
    expect(numbers.numberOf('B', 0)).toBe(3);
  });

  it('stay what they are when devices come and go', () => {
    const numbers = new PortNumbers();
    numbers.learn([device('B', 0)]);
    numbers.learn([device('A', 0, 1), device('B', 0)]);
    numbers.learn([]);
    expect(numbers.numberOf('B', 0)).toBe(1);
    expect(numbers.numberOf('A', 1)).toBe(3);
    expect(numbers.numberOf('C', 7)).toBe(4);
  });
});
