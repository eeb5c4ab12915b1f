import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { samplePdu } from '../testing/sample-pdu.ts';
import { PduHub, type SubscribePdus } from './pdu-hub.ts';
import { PduStore } from './pdu-store.ts';
import { ListingSink } from './testing/listing-sink.ts';

class HubRig {
  readonly clock = new FakeClock();
  readonly defects: unknown[] = [];
  readonly store: PduStore;
  readonly hub: PduHub;

  constructor(pdus = 4096) {
    this.store = new PduStore({ pdus, bytes: 16_777_216 });
    this.hub = new PduHub(this.store, this.clock, (thrown) => this.defects.push(thrown));
  }

  add(count: number, channel = 0): void {
    for (let i = 0; i < count; i++) this.store.add(samplePdu({ channel }), `SIM00001/${channel}`);
    this.hub.wake();
  }

  subscribe(options: Partial<SubscribePdus> = {}, sink = new ListingSink()) {
    const handle = this.hub.subscribe({ after: null, accepts: () => true, ...options, sink });
    return { handle, sink };
  }
}

const numbers = (seen: readonly (number | string)[]): number[] =>
  seen.filter((each) => typeof each === 'number');

describe('PduHub', () => {
  it('delivers new PDUs only, with one flush for those that came together', () => {
    const rig = new HubRig();
    rig.add(2);
    const { sink } = rig.subscribe();
    expect(sink.news()).toEqual([]);
    rig.add(2);
    expect(sink.news()).toEqual([3, 4, 'flush']);
    rig.hub.wake();
    expect(sink.news()).toEqual([]);
  });

  it.each([
    [0, [1, 2, 3, 'flush']],
    [2, [3, 'flush']],
    [3, []],
  ])('continues after sequence %i', (after, expected) => {
    const rig = new HubRig();
    rig.add(3);
    expect(rig.subscribe({ after }).sink.news()).toEqual(expected);
  });

  it.each([
    ['was dropped', 2],
    ['is of another run', 99],
  ])('reports a gap of unknown size after a sequence that %s', (_, after) => {
    const rig = new HubRig(4);
    rig.add(10);
    const { sink } = rig.subscribe({ after });
    expect(sink.news()).toEqual(['gap 7-10 missed null', 7, 8, 9, 10, 'flush']);
  });

  it('begins with the oldest available PDU after 0, without a gap', () => {
    const rig = new HubRig(4);
    rig.add(10);
    expect(rig.subscribe({ after: 0 }).sink.news()).toEqual([7, 8, 9, 10, 'flush']);
  });

  it('counts what a slow reader missed, and continues after the gap', () => {
    const rig = new HubRig(4);
    const { handle, sink } = rig.subscribe();
    rig.add(1);
    sink.isReady = false;
    rig.add(10);
    expect(sink.news()).toEqual([1, 'flush']);
    sink.isReady = true;
    handle.resume();
    expect(sink.news()).toEqual(['gap 8-11 missed 6', 8, 9, 10, 11, 'flush']);
  });

  it('delivers only what a subscription accepts', () => {
    const rig = new HubRig();
    const { sink } = rig.subscribe({ accepts: ({ pdu }) => pdu.channel === 1 });
    const all = rig.subscribe();
    rig.add(1);
    rig.add(2, 1);
    expect(numbers(sink.news())).toEqual([2, 3]);
    expect(numbers(all.sink.news())).toEqual([1, 2, 3]);
  });

  it('delivers a long backlog in passes, so that no reader holds up the thread', () => {
    const rig = new HubRig();
    rig.add(2000);
    const { sink } = rig.subscribe({ after: 0 });
    const first = numbers(sink.news()).length;
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(1000);
    rig.clock.advanceUs(10_000);
    expect(first + numbers(sink.news()).length).toBe(2000);
    expect(rig.clock.pendingTimers).toBe(0);
  });

  it('ends only the subscription whose sink throws', () => {
    const rig = new HubRig();
    const failing = new ListingSink();
    failing.item = () => {
      throw new Error('broken sink');
    };
    rig.subscribe({}, failing);
    const { sink } = rig.subscribe();
    rig.add(1);
    expect(rig.defects).toEqual([new Error('broken sink')]);
    expect(failing.news()).toEqual(['end shut_down']);
    expect(numbers(sink.news())).toEqual([1]);
    expect(rig.hub.streams).toBe(1);
  });

  it('ends all subscriptions when it closes, and leaves no timer', () => {
    const rig = new HubRig();
    rig.add(2000);
    const { sink } = rig.subscribe({ after: 0 });
    rig.hub.close();
    expect(sink.news().at(-1)).toBe('end shut_down');
    expect(rig.hub.streams).toBe(0);
    expect(rig.clock.pendingTimers).toBe(0);
  });
});
