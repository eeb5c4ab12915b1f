/** Times our decoders in this process; prints nanoseconds per frame as one JSON object. */
import type { Message, Signal } from '../../src/database/model.ts';
import {
  compileDecoder,
  compilePhysicalDecoder,
  type Decode,
  type DecodePhysical,
} from '../../src/signal/compile-decoder.ts';
import type { RawValues } from '../../src/signal/raw-values.ts';
import { frameCount, layouts, payloadsOf } from './layouts.mjs';

const rounds = 5;
const measuredNs = 8e6;
const warmUpNs = 2e6;
/** Layout of records in the broker: after a header, 128 bytes apart. */
const slotBytes = 128;
const headerBytes = 64;

type Layout = (typeof layouts)[number];

const signalOf = ({ isSigned, mux, ...rest }: Layout['signals'][number]): Signal => ({
  ...rest,
  kind: isSigned ? 'signed' : 'unsigned',
  minimum: null,
  maximum: null,
  unit: '',
  receivers: [],
  multiplexing:
    mux === null
      ? null
      : { switch: mux.name, ranges: [{ from: BigInt(mux.value), to: BigInt(mux.value) }] },
  values: [],
  initialRaw: null,
  comment: null,
  attributes: {},
});

const messageOf = ({ name, length, signals }: Layout): Message => ({
  name,
  id: 1,
  extended: false,
  fd: length > 8,
  brs: false,
  length,
  senders: [],
  cycleTimeMs: null,
  signals: signals.map(signalOf),
  comment: null,
  attributes: {},
});

const recordsOf = (layout: Layout): DataView => {
  const records = new Uint8Array(frameCount * slotBytes);
  const payloads = payloadsOf(layout.length, layout.pages);
  for (let frame = 0; frame < frameCount; frame++) {
    const payload = payloads.subarray(frame * layout.length, (frame + 1) * layout.length);
    records.set(payload, frame * slotBytes + headerBytes);
  }
  return new DataView(records.buffer);
};

const best = (decodeAll: () => void, roundNs: number): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = process.hrtime.bigint();
    let spent = 0;
    let frames = 0;
    while (spent < roundNs) {
      decodeAll();
      frames += frameCount;
      spent = Number(process.hrtime.bigint() - start);
    }
    least = Math.min(least, spent / frames);
  }
  return least;
};

/** One loop for all decoders, as in the daemon, so that none is inlined. */
const decodeRaw = (decode: Decode, records: DataView, length: number, values: RawValues): void => {
  const end = records.byteLength;
  for (let at = headerBytes; at < end; at += slotBytes) decode(records, at, length, values);
};

const decodePhysical = (
  decode: DecodePhysical,
  records: DataView,
  length: number,
  values: Float64Array,
  present: Uint32Array,
): void => {
  const end = records.byteLength;
  for (let at = headerBytes; at < end; at += slotBytes) {
    decode(records, at, length, values, present);
  }
};

const prepare = (layout: Layout) => {
  const message = messageOf(layout);
  const records = recordsOf(layout);
  const { length, signals } = layout;
  const { decode, newValues } = compileDecoder(message);
  const physical = compilePhysicalDecoder(message);
  const values = newValues();
  const doubles = new Float64Array(signals.length);
  const present = new Uint32Array(Math.ceil(signals.length / 32));
  return {
    name: layout.name,
    raw: () => decodeRaw(decode, records, length, values),
    physical: () => decodePhysical(physical.decode, records, length, doubles, present),
  };
};

const runs = layouts.map(prepare);
// All decoders run once first, so that the loops are megamorphic when one is measured.
const [, results] = [warmUpNs, measuredNs].map((roundNs) =>
  runs.map(({ name, raw, physical }) => [
    name,
    { raw: best(raw, roundNs), physical: best(physical, roundNs) },
  ]),
);
console.log(JSON.stringify(Object.fromEntries(results ?? [])));
