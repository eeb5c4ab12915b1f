import { expect, it } from 'vitest';
import { frameFlag } from '../../../src/frame/frm2-layout.ts';
import { FrameChecks, isChecked } from './frame-checks.ts';
import { checkMark } from './frame-chunk.ts';
import { RowWindow, rowBytes } from './frame-row.ts';
import type { GatewayMessage } from './message-names.ts';
import { anEvent, aRecord } from './testing/records.ts';
import { TraceEngine } from './trace-engine.ts';

const wheels: GatewayMessage = {
  ...{ instance: 'cabin', name: 'Wheels', slot: 0, id: 0x120, extended: false },
  protection: {
    ...{ direction: 'check', first_byte: 1, length: 2 },
    settings: {
      ...{ profile: 'free', max_delta_counter: 1 },
      counter: { start_bit: 0, bit_length: 4, byte_order: 'intel', max: '14' },
      checksum: { start_bit: 8, bit_length: 8, byte_order: 'intel', algorithm: 'xor8' },
    },
  },
};
const messages = [wheels, { ...wheels, instance: 'second' }].filter(isChecked);
const newChecks = () => new FrameChecks(messages);

const engineWith = () => {
  const engine = new TraceEngine(() => {});
  let eventId = 0;
  let sequence = 0;
  const take = (data: string, given: object = {}): void => {
    eventId++;
    if (!('sequence' in given)) sequence++;
    const at = { eventId, sequence, timestampUs: eventId * 1000 };
    engine.takeRecord(aRecord({ ...at, id: 0x120, data, ...given }));
  };
  const marks = (): readonly number[] => {
    const buffer = new ArrayBuffer(32 * rowBytes);
    const place = { at: 'index', index: 0 } as const;
    const { rows } = engine.window({ view: 'frames', rows: 31, place, selected: null }, buffer);
    return new RowWindow(buffer, rows).all().map(({ check }) => check);
  };
  return { engine, take, marks };
};

const { none, wrong, repeated, outOfSequence } = checkMark;

it('marks received frames as the gateway that checks them', () => {
  const { engine, take, marks } = engineWith();
  engine.checkWith(newChecks);
  take('000101');
  take('000101');
  take('0002FF');
  take('000909');
  take('000A');
  take('000A0A', { id: 0x121 });
  take('000101', { channel: 1, sequence: 1 });
  take('', { flags: frameFlag.remote });
  take('000A0A');
  expect(marks()).toEqual([
    ...[none, repeated, wrong, outOfSequence, wrong],
    ...[none, none, none, none],
  ]);
  expect(engine.failedChecks).toBe(4);
});

it('marks the frames before it knew the settings, and older ones', () => {
  const { engine, take, marks } = engineWith();
  take('000101');
  take('000202');
  take('0003FF');
  expect(marks()).toEqual([none, none, none]);
  engine.checkWith(newChecks);
  expect(marks()).toEqual([none, none, wrong]);
  take('000303');
  take('000303');
  engine.takeOlder([anEvent({ event_id: 0, id: 0x120, data: '0001FF', timestamp_us: 1 })], false);
  expect(marks()).toEqual([wrong, none, none, wrong, none, repeated]);
  engine.checkWith(null);
  expect(marks()).toEqual(Array(6).fill(none));
});

it('checks no frames after the instance has stopped', () => {
  const { engine, take, marks } = engineWith();
  const stopped: GatewayMessage = { ...wheels, untilUs: 2000 };
  engine.checkWith(() => new FrameChecks([stopped].filter(isChecked)));
  for (let frame = 0; frame < 3; frame++) take('0001FF');
  expect(marks()).toEqual([wrong, wrong, none]);
});

it('expects no counter after lost frames', () => {
  const { engine, take, marks } = engineWith();
  engine.checkWith(newChecks);
  take('000101');
  take('000909', { sequence: 5 });
  expect(marks()).toEqual([none, none, none]);
});
