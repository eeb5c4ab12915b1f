import { expect, it } from 'vitest';
import { WatchedState } from './watched-state.ts';

it('keeps the newest fault events, each as it was told last', () => {
  const state = new WatchedState();
  const report = (first: number, count: number, event_id: number | null): void => {
    const fault_events = Array.from({ length: count }, (_, index) => ({
      ...{ sequence: first + index, event_id },
    }));
    state.take({ event: 'fault_events', data: JSON.stringify({ instance: 'a', fault_events }) });
  };
  report(1, 1000, null);
  report(1000, 1, 7);
  report(1001, 100, null);
  const rows = [...state.pieces()].flatMap(({ data }) => JSON.parse(data).fault_events);
  expect([rows.length, rows[0].sequence, rows.at(-1).sequence]).toEqual([1024, 77, 1100]);
  expect(rows.find(({ sequence }) => sequence === 1000).event_id).toBe(7);
});
