import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../base/testing/long.ts';
import { HubBench } from '../../broker/testing/hub-bench.ts';
import type { Message } from '../../database/model.ts';
import { setFrm2TimestampUs, writeFrm2 } from '../../frame/frm2-codec.ts';
import { busCode, eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import {
  broadcastFrame,
  dataFrame,
  packetsOf,
  type TransportFrame,
} from '../../pdu/j1939/transport-frames.ts';
import { LongPdus } from '../../pdu/service/long-pdus.ts';
import { PduService } from '../../pdu/service/pdu-service.ts';
import { GroupMatch } from '../../signal/live/group-match.ts';
import { LivePlan } from '../../signal/live/live-plan.ts';
import { PlanSet } from '../../signal/live/plan-set.ts';
import { arbitrarySignal } from '../../signal/testing/arbitrary-message.ts';
import { aMessage } from '../../signal/testing/models.ts';
import { ChunkDecoder } from '../../table/decode/chunk-decoder.ts';
import { LongPayloads } from '../../table/decode/long-payloads.ts';
import { TraceBatch } from '../../trace/trace-batch.ts';

const pgn = 0xfed3;
const source = 0x21;
const maxPayloads = 4;

/** Messages of 9 to 300 bytes with signals of every shape anywhere in them. */
const arbitraryLong: fc.Arbitrary<Message> = fc
  .integer({ min: 9, max: 300 })
  .chain((length) =>
    fc.record({
      length: fc.constant(length),
      signals: fc.array(
        fc.record({
          signal: arbitrarySignal,
          startBit: fc.integer({ min: 0, max: 8 * length - 1 }),
          scale: fc.constantFrom(['1', '0'], ['0.25', '-40'], ['-0.1', '7'], ['1E-7', '3']),
        }),
        { minLength: 1, maxLength: 6 },
      ),
    }),
  )
  .map(({ length, signals }) => ({
    ...aMessage(
      signals.map(({ signal, startBit, scale: [factor = '1', offset = '0'] }, at) => ({
        ...signal,
        ...{ name: `S${at}`, startBit, factor, offset },
      })),
      length,
    ),
    ...{ id: 0x18fe_d3fe, extended: true, pgn },
  }));

const payloadOf = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    fc.uint8Array({ minLength: length, maxLength: length }),
    fc.constantFrom(0x00, 0xff, 0x80, 0x7f).map((byte) => new Uint8Array(length).fill(byte)),
  );

const framesOf = (payload: Uint8Array): TransportFrame[] => [
  broadcastFrame(source, pgn, payload.length),
  ...Array.from({ length: packetsOf(payload.length) }, (_, index) =>
    dataFrame({ source, destination: 0xff }, payload, index + 1),
  ),
];

/** Values by signal, live from the ring and offline from a trace with the same frames. */
const valuesOf = (message: Message, frames: readonly TransportFrame[]) => {
  const bench = new HubBench();
  const { writer } = bench.open(0, 256);
  const onDefect = (thrown: unknown) => expect.fail(String(thrown));
  const { hub: events, clock } = bench;
  const service = new PduService({
    events,
    clock,
    selectorOf: () => 'SIM00001/0',
    nameOf: () => null,
    onDefect,
  });
  service.start();
  const set = new PlanSet();
  const group = new GroupMatch({ pgn, heads: [message], own: 0 }, null);
  set.add(new LivePlan({ planId: 'plan', channel: 0, message, group, history: maxPayloads }));
  new LongPdus(service).follow((record) => set.takeLong(record));
  const startUnixUs = clock.unixUs();
  const batch = new TraceBatch(frames.length);
  for (const { id, data } of frames) {
    const at = writer.reserve();
    const { view, channel } = writer;
    const { rx_frame } = eventKindCode;
    const { extended } = frameFlag;
    writeFrm2(view, at, busCode.can, rx_frame, channel, id, extended, 8, data, 0, 8);
    setFrm2TimestampUs(view, at, clock.unixUs());
    batch.appendFrm2(view, at, startUnixUs, 1);
    writer.commit();
    bench.settle();
  }
  const live = new Map<string, (string | null)[]>();
  for (const { name } of message.signals) {
    try {
      const { samples } = set.history('plan', name, 0, maxPayloads);
      live.set(
        name,
        samples.map(({ value }) => value),
      );
    } catch {
      // The signal does not fit into the payload.
    }
  }
  service.close();
  events.close();

  const database = { messages: [message], format: 'dbc' };
  const decoder = new ChunkDecoder({
    databases: [{ name: 'long', channel: null, database: database as never }],
    ...{ signals: null, format: 'csv', wide: false, everyUs: null },
  });
  const times = { startUnixUs, fromUs: 0, toUs: Number.POSITIVE_INFINITY };
  const offline = new Map<string, (string | null)[]>();
  const long = new LongPayloads(startUnixUs).take(batch);
  decoder.decode(batch, times, new Map(), long, ({ bytes }) => {
    for (const line of new TextDecoder().decode(bytes).split('\n').slice(0, -1)) {
      const [, , , signal = '', value = ''] = line.split(',');
      offline.set(signal, [...(offline.get(signal) ?? []), value === '' ? null : value]);
    }
  });
  return { live, offline };
};

describe('values of payloads longer than a frame', () => {
  it('are the same live and offline to the last digit, in every shape of signal', () => {
    let values = 0;
    fc.assert(
      fc.property(
        arbitraryLong.chain((message) =>
          fc.tuple(
            fc.constant(message),
            fc.array(payloadOf(message.length), { minLength: 1, maxLength: maxPayloads }),
          ),
        ),
        ([message, payloads]) => {
          const { live, offline } = valuesOf(message, payloads.flatMap(framesOf));
          expect([...offline].sort()).toEqual([...live].sort());
          for (const found of live.values()) values += found.length;
        },
      ),
      { numRuns: cases(30, 100), seed: 39 },
    );
    expect(values).toBeGreaterThan(100);
  });

  it('exist for no payload with a packet missing', () => {
    const [message] = fc.sample(arbitraryLong, { numRuns: 1, seed: 3 });
    const frames = framesOf(new Uint8Array((message as Message).length));
    frames.splice(1, 1);
    const { live, offline } = valuesOf(message as Message, frames);
    expect([live.size, offline.size]).toEqual([0, 0]);
  });
});
