import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { FlashProgress } from '../flash-plan.ts';
import type { FlashSequence } from '../flash-sequence.ts';
import { binaryImage } from '../image.ts';
import type { FlashReport } from './flash-record.ts';
import { FlashRuns } from './flash-run.ts';
import { LinkRig } from './testing/link-rig.ts';

const image = binaryImage(Uint8Array.of(0xaa, 0xbb, 0xcc, 0xdd), 0x0800_0000);
const request = { ecu: 'engine', file: 'image.bin', sequence: 'steps.json' };
const downloading = {
  '7E0#100B340044080000': ['7E8#300000'],
  '7E0#210000000004': ['7E8#0474200FA2'],
  '7E0#063601AABBCCDD': ['7E8#027601'],
  '7E0#0137': ['7E8#0177'],
};

class FlashRig extends LinkRig {
  readonly caller = new AbortController();
  readonly progress: FlashProgress[] = [];
  report?: FlashReport;
  error?: BusbarError;

  start(steps: FlashSequence['steps']): void {
    const { clock, scheduler, links } = this;
    const runs = new FlashRuns({
      clock,
      scheduler,
      links,
      readFiles: async () => ({ image, sequence: { steps } }),
      keyOf: async (_, level, seed) => Uint8Array.from(seed, (byte) => byte ^ level),
    });
    const show = (progress: FlashProgress) => this.progress.push(progress);
    runs.run(request, this.benchSource, this.caller.signal, show).then(
      (report) => {
        this.report = report;
      },
      (thrown) => {
        this.error = BusbarError.from(thrown);
      },
    );
  }

  async settle(times: number): Promise<void> {
    for (let time = 0; time < times; time++) await this.pass(5000);
  }
}

describe('flashing an ECU', () => {
  it('sends the image in blocks and reports each step', async () => {
    const rig = new FlashRig();
    await rig.openBus();
    rig.answer({ '7E0#021002': ['7E8#065002003201F4'], ...downloading });
    rig.start([{ step: 'session', session: 'programming' }, { step: 'download' }]);
    await rig.settle(8);
    expect(rig.error).toBeUndefined();
    expect(rig.report).toMatchObject({
      ecu: 'engine',
      bytes: 4,
      segments: [{ address: 0x0800_0000, size: 4 }],
      requests: 4,
      steps: [
        { name: 'session', requests: 1 },
        { name: 'download', requests: 3 },
      ],
    });
    expect(rig.progress.at(-1)).toMatchObject({ bytes: 4, totalBytes: 4, steps: 2 });
  });

  it('keeps the link to itself until it ends', async () => {
    const rig = new FlashRig();
    await rig.openBus();
    rig.answer({ ...downloading, '7E0#023E00': ['7E8#027E00'] });
    rig.start([{ step: 'wait', ms: 100 }, { step: 'download' }]);
    await rig.settle(2);
    const asked = rig.ask('3E00');
    await rig.settle(6);
    expect([asked.record, rig.seen]).toEqual([undefined, []]);
    await rig.pass(100_000);
    await rig.settle(10);
    expect(rig.report?.bytes).toBe(4);
    expect(asked.record?.response).toBe('7E00');
    expect(rig.seen.at(-1)).toBe('7E0#023E00');
  });

  it('ends at the first refusal, with the step in words', async () => {
    const rig = new FlashRig();
    await rig.openBus();
    rig.answer({ '7E0#021002': ['7E8#037F1022'] });
    rig.start([{ step: 'session', session: 'programming' }, { step: 'download' }]);
    await rig.settle(4);
    expect(rig.error).toMatchObject({
      code: 'unexpected_response',
      details: { step: 1, nrc: 0x22 },
    });
  });

  it('continues after an optional step that has no response', async () => {
    const rig = new FlashRig();
    await rig.openBus();
    rig.answer(downloading);
    rig.start([{ step: 'request', data: '3E00', optional: true }, { step: 'download' }]);
    await rig.settle(20);
    expect(rig.error).toBeUndefined();
    expect(rig.report).toMatchObject({ bytes: 4, requests: 4 });
    const silent = new FlashRig();
    await silent.openBus();
    silent.start([{ step: 'request', data: '3E00' }, { step: 'download' }]);
    await silent.settle(20);
    expect(silent.error?.code).toBe('no_response');
  });

  it('awaits an ECU that answers 0x78 for minutes', async () => {
    const rig = new FlashRig();
    await rig.openBus();
    rig.start([{ step: 'request', data: '3101FF00' }]);
    await rig.pass(5000);
    for (let seconds = 0; seconds < 180; seconds += 4) {
      rig.say('7E8#037F3178');
      await rig.pass(4_000_000);
    }
    expect(rig.report).toBeUndefined();
    rig.say('7E8#047101FF00');
    await rig.settle(2);
    expect(rig.report).toMatchObject({ requests: 1, pending: 45 });
  });

  it('refuses ranges that do not fit before it sends anything', async () => {
    const rig = new FlashRig();
    await rig.openBus();
    const erase = { step: 'routine', routine: 'FF00' } as const;
    rig.start([erase, { step: 'download', address_bytes: 2 }]);
    await rig.settle(2);
    expect(rig.error).toMatchObject({
      code: 'invalid_diagnostics_file',
      details: { field: 'sequence', path: 'steps.json', problems: [{ field: 'steps[1]' }] },
    });
    expect(rig.seen).toEqual([]);
  });

  it('refuses a level without a key before it sends anything', async () => {
    const rig = new FlashRig();
    await rig.openBus();
    const erase = { step: 'routine', routine: 'FF00' } as const;
    const unlock = { step: 'security', level: 1 } as const;
    rig.start([erase, { ...unlock, key: 'CAFE' }, unlock, { step: 'download' }]);
    await rig.settle(2);
    expect(rig.error).toMatchObject({
      code: 'invalid_diagnostics_file',
      details: {
        ...{ field: 'sequence', path: 'steps.json' },
        problems: [{ field: 'steps[2].key' }],
      },
    });
    expect(rig.seen).toEqual([]);
  });

  it.each([
    ['closed', () => undefined, 'download'],
    ['closed and opened again', (rig: FlashRig) => rig.open(0), 'download'],
    ['closed and opened again', (rig: FlashRig) => rig.open(0), 'nothing'],
  ])('ends when its channel is %s during a wait before %s', async (_, after, last) => {
    const rig = new FlashRig();
    await rig.openBus();
    rig.answer({ '7E0#021002': ['7E8#065002003201F4'], ...downloading });
    const session = { step: 'session', session: 'programming' } as const;
    const rest = last === 'download' ? [{ step: last } as const] : [];
    rig.start([session, { step: 'wait', ms: 60_000 }, ...rest]);
    await rig.settle(4);
    await rig.table.close('SIM00001/0', rig.benchSource);
    await after(rig);
    await rig.settle(2);
    expect(rig.error?.code).toBe('hardware_error');
    expect(rig.seen).toEqual(['7E0#021002']);
  });

  it('ends when it is cancelled, also during a request', async () => {
    const rig = new FlashRig();
    await rig.openBus();
    rig.start([{ step: 'session', session: 'programming' }, { step: 'download' }]);
    await rig.pass(5000);
    rig.caller.abort();
    await rig.settle(2);
    expect(rig.error?.code).toBe('operation_cancelled');
    rig.answer({ '7E0#023E00': ['7E8#027E00'] });
    const asked = rig.ask('3E00');
    await rig.settle(2);
    expect(asked.record?.response).toBe('7E00');
  });

  it('is cancelled while it waits for the link', async () => {
    const rig = new FlashRig();
    await rig.openBus();
    rig.ask('3E00');
    rig.start([{ step: 'session', session: 'programming' }]);
    await rig.pass(1000);
    rig.caller.abort();
    await rig.pass(1000);
    expect(rig.error).toMatchObject({
      code: 'operation_cancelled',
      details: { reason: 'job_cancelled' },
    });
  });
});
