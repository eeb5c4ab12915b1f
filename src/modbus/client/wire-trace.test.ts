import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { SessionPool } from '../session/session-pool.ts';
import { ScriptedTransport } from '../session/testing/scripted-transport.ts';
import { fakeScheduler, SessionRig } from '../session/testing/session-rig.ts';
import { parseEndpoint } from '../transport/endpoint-text.ts';
import { masksOf } from './bit-change.ts';
import { ModbusClient } from './modbus-client.ts';
import { PollService } from './poll-service.ts';
import { ClientRig } from './testing/client-rig.ts';
import { maxWireRecords, type WireRecord } from './wire-record.ts';
import { WireTrace } from './wire-trace.ts';

const shortly = (records: readonly WireRecord[]): string[] =>
  records.map(({ direction, data }) => `${direction} ${data}`);

describe('a trace of raw bytes', () => {
  it('has the requests and answers of a call, with their times', async () => {
    const rig = new ClientRig(['03020012', '0600070016']);
    const trace = new WireTrace();
    const change = rig.client.changeBits(7, masksOf({ 2: true }), { wire: trace.listen });
    await rig.done(change);
    const records = trace.take();
    expect(shortly(records)).toEqual([
      'tx 000100000006010300070001',
      'rx 0001000000050103020012',
      'tx 000200000006010600070016',
      'rx 000200000006010600070016',
    ]);
    const [sent, received] = records;
    expect(sent?.timestamp_us).toBe(1_700_000_000_001_000);
    expect(received?.timestamp_us).toBe(1_700_000_000_002_000);
    expect(trace.take()).toEqual([]);
  });

  it('has nothing of others on the same link', async () => {
    const rig = new ClientRig(['03020001', '03020002']);
    const trace = new WireTrace();
    const [one, other] = [
      rig.client.read('holding', 0, 1, { wire: trace.listen }),
      new ModbusClient(rig.session, 9).read('holding', 0, 1),
    ];
    await rig.done(Promise.all([one, other]));
    expect(shortly(trace.take())).toEqual([
      'tx 000100000006010300000001',
      'rx 0001000000050103020001',
    ]);
  });

  it('has what came instead of an answer, and probes that went out first', () => {
    const rig = new SessionRig('rtu');
    rig.transport.accepts(rig.clock);
    rig.ask(1, undefined, 10);
    rig.advanceMs(20);
    const trace = new WireTrace();
    const client = new ModbusClient(rig.session, 1, 50);
    client.read('holding', 0, 1, { wire: trace.listen }).catch(() => undefined);
    rig.advanceMs(5);
    rig.transport.last.receive('FFEE');
    rig.advanceMs(100);
    expect(shortly(trace.take())).toEqual([expect.stringMatching(/^tx 010800000001/), 'rx FFEE']);
  });

  it('keeps so much of a line that chatters, and no more', () => {
    const trace = new WireTrace();
    for (let i = 0; i < maxWireRecords + 10; i++) trace.listen('rx', Uint8Array.of(i), i);
    expect(trace.take()).toHaveLength(maxWireRecords);
  });

  it('comes with each result of a poll where it is wanted', async () => {
    const clock = new FakeClock();
    const scheduler = fakeScheduler(clock);
    const transport = new ScriptedTransport('tcp');
    transport.accepts(clock, (link) => {
      link.onWrite = (bytes) => {
        const header = Buffer.from(bytes.slice(0, 2)).toString('hex');
        clock.after(1, () => link.receive(`${header}000000050103020007`));
      };
    });
    const pool = new SessionPool({ clock, scheduler, transportTo: () => transport });
    const polls = new PollService({ clock, scheduler, pool });
    const traces: (readonly WireRecord[] | null | undefined)[] = [];
    const poll = async (wanted: boolean): Promise<void> => {
      const job = await polls.start({
        endpoint: parseEndpoint('tcp:127.0.0.1:502'),
        unit: 1,
        table: 'holding',
        address: 0,
        count: 1,
        traces: wanted,
        onReady: () => traces.push(job.take()?.trace),
      });
      clock.advanceUs(1_500_000);
      polls.stop(job);
    };
    await poll(true);
    await poll(false);
    expect(traces.map((trace) => trace && shortly(trace))).toEqual([
      ['tx 000100000006010300000001', 'rx 0001000000050103020007'],
      ['tx 000200000006010300000001', 'rx 0002000000050103020007'],
      null,
      null,
    ]);
  });
});
