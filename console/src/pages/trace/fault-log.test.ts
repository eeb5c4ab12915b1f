import { describe, expect, it } from 'vitest';
import type { GatewayFaultEvent } from '../../api/client.ts';
import { FaultLog } from './fault-log.ts';

const fault = (part: Partial<GatewayFaultEvent>): GatewayFaultEvent =>
  ({
    sequence: 1,
    timestamp_us: 1000,
    task: 'pump',
    rule: 'flip',
    kind: 'xor_byte',
    effect: 'injected',
    event_id: null,
    selector: 'SIM00001/0',
    channel: 3,
    id: 0x200,
    extended: false,
    fd: false,
    brs: false,
    data: '0011',
    ...part,
  }) as GatewayFaultEvent;

const rulesOf = (log: FaultLog, eventId: number) => log.marksOf(eventId).map(({ rule }) => rule);

describe('the log of fault rules', () => {
  it('marks a frame once it is known to be sent, and once however often it is reported', () => {
    const log = new FaultLog();
    expect(log.take('pump', [fault({})], 0)).toEqual([]);
    expect(rulesOf(log, 7)).toEqual([]);
    log.take('pump', [fault({ event_id: 7 })], 0);
    log.take(
      'pump',
      [fault({ event_id: 7 }), fault({ sequence: 2, rule: 'delay', event_id: 7 })],
      0,
    );
    expect(rulesOf(log, 7)).toEqual(['flip', 'delay']);
    expect(log.marksOf(7)[0]).toMatchObject({ instance: 'pump', kind: 'xor_byte' });
  });

  it('makes a row of a dropped frame, with a number and a mark of its own', () => {
    const log = new FaultLog();
    const [frame, next] = log.take(
      'pump',
      [fault({ effect: 'dropped' }), fault({ sequence: 2, effect: 'suppressed', rule: 'mute' })],
      0,
    );
    expect(frame).toMatchObject({ event_id: -1, channel: 3, id: 0x200, dlc: 2, data: '0011' });
    expect(rulesOf(log, -1)).toEqual(['flip']);
    expect(next).toMatchObject({ event_id: -2 });
    expect(rulesOf(log, -2)).toEqual(['mute']);
  });

  it('makes no second row of a frame that a new connection reports again', () => {
    const log = new FaultLog();
    const events = [fault({ effect: 'dropped' })];
    expect(log.take('pump', events, 0)).toHaveLength(1);
    expect(log.take('pump', events, 0)).toEqual([]);
    expect(log.take('fan', events, 0)).toHaveLength(1);
  });

  it('takes an instance that replaces another of its name for another', () => {
    const log = new FaultLog();
    log.take('pump', [fault({ effect: 'dropped' })], 0);
    const again = fault({ effect: 'dropped', timestamp_us: 2000 });
    expect(log.take('pump', [again], 0)).toHaveLength(1);
  });

  it('makes no row of a frame from before the trace, or without a channel', () => {
    const log = new FaultLog();
    const early = fault({ effect: 'dropped', timestamp_us: 999 });
    const homeless = fault({ sequence: 2, effect: 'dropped', channel: null });
    expect(log.take('pump', [early, homeless], 1000)).toEqual([]);
  });
});
