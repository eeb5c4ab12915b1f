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
});
