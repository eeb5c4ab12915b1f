import { describe, expect, it } from 'vitest';
import { sendHex } from '../drivers/virtual/testing/virtual-rig.ts';
import { readFrm2 } from '../frame/frm2-event.ts';
import { formatHex } from '../frame/hex-bytes.ts';
import { FrameListeners } from './bench-sink.ts';
import { canOf, TableRig } from './testing/table-rig.ts';

/** A record; only its position matters. */
const record = new DataView(new ArrayBuffer(0));

describe('FrameListeners', () => {
  it('tells all listeners in the order they came, whatever one of them throws', () => {
    const defects: unknown[] = [];
    const reported: string[] = [];
    const listeners = new FrameListeners((thrown) => defects.push(thrown));
    const broken = new RangeError('broken');
    listeners.add((_record, at) => void reported.push(`one ${at}`));
    listeners.add(() => {
      throw broken;
    });
    const stop = listeners.add((_record, at) => void reported.push(`three ${at}`));
    listeners.report(record, 1);
    stop();
    listeners.report(record, 2);
    expect(reported).toEqual(['one 1', 'three 1', 'one 2']);
    expect(defects).toEqual([broken, broken]);
  });

  it('does not disturb a round when a listener comes or goes in it', () => {
    const reported: string[] = [];
    const listeners = new FrameListeners(() => undefined);
    const stop = listeners.add(() => {
      stop();
      listeners.add(() => void reported.push('late'));
    });
    listeners.add(() => void reported.push('second'));
    listeners.report(record, 1);
    expect(reported).toEqual(['second']);
    listeners.report(record, 1);
    expect(reported).toEqual(['second', 'second', 'late']);
  });
});

describe('the frames of a channel', () => {
  it('are those it receives: neither its own nor errors', async () => {
    const rig = new TableRig();
    const zero = await rig.open(0);
    const one = await rig.open(1);
    const received: string[] = [];
    const stop = zero.onFrame((heardRecord, at) => {
      const { id, flags, dlc, data } = readFrm2(heardRecord, at);
      received.push(`${id} ${flags} ${dlc} ${formatHex(data)}`);
    });
    sendHex(canOf(one), 0x123, 'CAFE');
    sendHex(canOf(zero), 0x124, 'BEEF');
    rig.driver.faults.bitErrors(1, 1);
    rig.clock.advanceUs(10_000);
    expect(received).toEqual([`${0x123} 0 2 CAFE`]);
    expect(rig.records(zero.slot).some(({ status }) => status !== 0)).toBe(true);
    stop();
    sendHex(canOf(one), 0x123);
    rig.clock.advanceUs(10_000);
    expect(received).toHaveLength(1);
  });
});
