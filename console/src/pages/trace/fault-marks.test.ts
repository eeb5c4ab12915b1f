import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settled } from '../../api/testing/settled.ts';
import { stubPage } from '../../api/testing/stub-page.ts';
import { FakeSseService, type OpenedStream } from '../../streams/testing/fake-sse-service.ts';
import type { FrameRow } from '../../trace-core/frame-row.ts';

const summary = (enabled_faults: number) => ({
  instance: 'pump',
  loaded_at_us: 1,
  state: 'running',
  enabled_faults,
});

const fault = (sequence: number, event_id: number | null) => ({
  ...{ sequence, event_id, rule: 'flip', kind: 'xor_byte', effect: 'injected', task: 'pump' },
  ...{ timestamp_us: 1000 + sequence, selector: 'SIM00001/0', channel: 3, data: '0011' },
  ...{ id: 0x200, extended: false, fd: false, brs: false },
});

let service: FakeSseService;
let stop = (): void => {};

beforeEach(() => {
  stubPage('#trace');
  service = new FakeSseService();
  service.shareWorker();
});
afterEach(() => {
  stop();
  service.remove();
});

/** The trace page of a served console, with a stand-in for the stream of states. */
const openTrace = async () => {
  const { connection } = await import('../../state/connection.ts');
  const { followers } = await import('../../state/resource.ts');
  const { watchInstances } = await import('../../state/gateways.ts');
  const { followFaults, faultMarks } = await import('./fault-marks.ts');
  const leave = watchInstances();
  const hear = (...gateways: object[]): void => {
    for (const follower of followers.value) follower.take({ gateways });
  };
  connection.value = 'live';
  const end = followFaults();
  stop = () => {
    end();
    leave();
  };
  return { connection, hear, rulesOf: (eventId: number) => faultMarks({ eventId }).length };
};

const tell = ({ send }: OpenedStream, ...events: object[]): void =>
  send(
    `event: fault_events\ndata: ${JSON.stringify({ instance: 'pump', fault_events: events })}\n\n`,
  );

const refuseStreams = (path: string): Response | null => {
  const error = { code: 'instance_not_found', message: 'No', details: {}, retryable: false };
  return path.includes('/stream') ? Response.json({ error }, { status: 404 }) : null;
};

describe('the marks of faults in the trace', () => {
  it('go on once an instance whose stream was rejected is reported again', async () => {
    const { hear, rulesOf } = await openTrace();
    let refused = 0;
    service.refuse = (path) => {
      const answer = refuseStreams(path);
      if (answer) refused += 1;
      return answer;
    };
    hear(summary(1));
    await settled(() => refused > 0);
    // The rejection reaches the page in a message.
    await new Promise((done) => setImmediate(done));
    service.refuse = () => null;
    let enabled = 1;
    await settled(() => {
      // Reported whenever something about the instance changes.
      enabled += 1;
      hear(summary(enabled));
      return service.opened.length > 0;
    });
    tell(await service.connection(1), fault(1, 7));
    await settled(() => rulesOf(7) === 1);
  });

  it('have what happened while the service was away, though the rules are off since', async () => {
    const { connection, hear, rulesOf } = await openTrace();
    hear(summary(1));
    tell(await service.connection(1), fault(1, 7));
    await settled(() => rulesOf(7) === 1);
    connection.value = 'unreachable';
    const page = { fault_events: [fault(1, 7), fault(2, 8)], next_after: 2, newest_available: 2 };
    service.refuse = (path) => (path.includes('/faults/events') ? Response.json(page) : null);
    hear(summary(0));
    connection.value = 'live';
    await settled(() => rulesOf(8) === 1);
    expect(rulesOf(7)).toBe(1);
  });
});

describe('checks of a gateway that fail', () => {
  const wheels = {
    instance: 'cabin',
    name: 'Wheels',
    slot: 2,
    id: 0x120,
    extended: false,
    protection: null,
  };
  const doors = { ...wheels, name: 'Doors', id: 0x130 };

  it('mark the frames that are received meanwhile', async () => {
    const { failingChecks, faultTexts, withFailing } = await import('./fault-marks.ts');
    const begun = withFailing([], 'cabin', [wheels], 1000);
    expect(withFailing(begun, 'cabin', [wheels], 2000)).toBe(begun);
    expect(withFailing(begun, 'other', [], 2000)).toBe(begun);
    const both = withFailing(begun, 'cabin', [wheels, doors], 2000);
    failingChecks.value = withFailing(both, 'cabin', [doors], 3000);
    const textsOf = (given: object) =>
      faultTexts({
        ...{ kind: 1, channel: 2, id: 0x120, flags: 0, eventId: 1, check: 0 },
        ...given,
      } as FrameRow);
    const texts = [500, 1000, 2999, 3000].map((timestampUs) => textsOf({ timestampUs }).length);
    expect(texts).toEqual([0, 1, 1, 0]);
    expect(textsOf({ timestampUs: 5000, id: 0x130 })).toEqual(['▲ E2E check of cabin/Doors fails']);
    expect(textsOf({ timestampUs: 5000, id: 0x130, channel: 1 })).toEqual([]);
    expect(textsOf({ timestampUs: 5000, id: 0x130, kind: 2 })).toEqual([]);
    failingChecks.value = [];
  });

  it('say what they found in a frame', async () => {
    const { gatewayMessages, checkTexts } = await import('./fault-marks.ts');
    gatewayMessages.value = [wheels];
    const frame = { kind: 1, channel: 2, id: 0x120, flags: 0 };
    const textsOf = (check: number) => checkTexts({ ...frame, check } as FrameRow);
    expect([0, 2, 3].flatMap(textsOf)).toEqual([
      '▲ E2E check of cabin/Wheels: repeated',
      '▲ E2E check of cabin/Wheels: out of sequence',
    ]);
    expect(checkTexts({ ...frame, check: 1, id: 1 } as FrameRow)).toEqual([
      '▲ E2E check: wrong checksum, data ID or length',
    ]);
    gatewayMessages.value = [];
  });
});
