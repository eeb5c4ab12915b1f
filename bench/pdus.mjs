// Cost of finding PDUs for each frame that the client thread reads, compared with decoding a frame
// of eight signals in a signal plan in the same run. The bench thread takes no part in it.
import { loadSource } from '../scripts/load-source.mjs';

const recordCount = 9 * 1024;
const roundLength = 9 * 64;
const passes = 60;
const recordBytes = 128;
const packets = 8;
const limits = { other: 0.25, transfer: 2.5, mixed: 0.5 };

const [
  { PduService },
  { PlanSet },
  { LivePlan },
  { GroupMatch },
  { compileDecoder },
  frm2,
  { SystemClock },
] = await Promise.all(
  [
    'src/pdu/service/pdu-service.ts',
    'src/signal/live/plan-set.ts',
    'src/signal/live/live-plan.ts',
    'src/signal/live/group-match.ts',
    'src/signal/compile-decoder.ts',
    'src/frame/frm2-codec.ts',
    'src/base/clock/system-clock.ts',
  ].map(loadSource),
);

const message = {
  ...{ name: 'Message', id: 0x18fef100, extended: true, pgn: 0xfef1, fd: false, brs: false },
  ...{ length: 8, senders: [], cycleTimeMs: null, comment: null, attributes: {} },
  signals: Array.from({ length: 8 }, (_, at) => ({
    ...{ name: `S${at}`, startBit: at * 8, length: 8, byteOrder: 'intel', kind: 'unsigned' },
    ...{ factor: '0.5', offset: '-40', minimum: null, maximum: null, unit: 'km/h' },
    ...{ receivers: [], isSwitch: false, multiplexing: null, values: [], initialRaw: null },
    ...{ comment: null, attributes: {} },
  })),
};

const frames = { extended: 1 << 0 };

/** Frames a millisecond apart, as the rings contain them. */
const recordsOf = (frameAt) => {
  const view = new DataView(new ArrayBuffer(recordCount * recordBytes));
  for (let index = 0; index < recordCount; index++) {
    const { id, flags = frames.extended, data } = frameAt(index);
    const at = index * recordBytes;
    frm2.writeFrm2(view, at, 1, 1, 0, id, flags, 8, Uint8Array.from(data), 0, 8);
    frm2.setFrm2EventId(view, at, 2 ** 40 + index);
    frm2.setFrm2TimestampUs(view, at, 1_700_000_000_000_000 + 1000 * index);
  }
  return view;
};

const filled = (first) => Array.from({ length: 8 }, (_, at) => (first + 31 * at) & 0xff);
const plain = (index) => ({ id: 0x18f10000 + ((index * 7919) & 0xffff), data: filled(index) });
const planned = (index) => ({ id: message.id + (index & 0x7f), data: filled(index) });
const standard = (index) => ({ id: (index * 7919) & 0x7ff, flags: 0, data: filled(index) });

/** A broadcast of eight packets after another, of one source after another. */
const transfer = (index) => {
  const number = index % (packets + 1);
  const source = Math.floor(index / (packets + 1)) % 16;
  const size = 7 * packets;
  if (number === 0) {
    const data = [0x20, size, 0, packets, 0xff, 0xee, 0xfe, 0x00];
    return { id: 0x1cecff00 + source, data };
  }
  return { id: 0x1cebff00 + source, data: [number, ...filled(index).slice(1)] };
};

/** A truck: one frame of twenty belongs to a transfer. */
const mixed = (index) => (index % 20 === 0 ? transfer(index / 20) : plain(index));

let sink;
const service = new PduService({
  clock: new SystemClock(),
  events: {
    subscribe: (options) => {
      ({ sink } = options);
      return { resume: () => undefined, close: () => undefined };
    },
    drain: () => true,
  },
  selectorOf: () => 'SIM00001/0',
  onDefect: (thrown) => {
    throw thrown;
  },
});
service.start();
let found = 0;
service.follow(() => {
  found += 1;
});

/** Nanoseconds per record in the best round: other programs only slow it down. */
const bestNs = (view, take) => {
  const staging = { view, bytes: new Uint8Array(view.buffer) };
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < (passes * recordCount) / roundLength; round++) {
    const first = (round * roundLength) % recordCount;
    const start = process.hrtime.bigint();
    for (let at = first; at < first + roundLength; at++) take(staging, at * recordBytes);
    best = Math.min(best, Number(process.hrtime.bigint() - start) / roundLength);
  }
  return best;
};

const { decode, newValues } = compileDecoder(message);
const values = newValues();
const decodeNs = bestNs(recordsOf(plain), ({ view }, at) => decode(view, at + 64, 8, values));
const plans = new PlanSet();
const group = new GroupMatch({ pgn: 0xfef1, isFirst: true, others: [] }, message.id, null);
plans.add(new LivePlan({ planId: 'plan', channel: 0, message, group, history: 1024 }));
const planNs = bestNs(recordsOf(planned), ({ view }, at) => plans.take(view, at));
const pduNs = (frameAt) => bestNs(recordsOf(frameAt), (staging, at) => sink.item(staging, at));

const results = [
  ['a frame of 11 bits', pduNs(standard), limits.other],
  ['a J1939 frame outside of transfers', pduNs(plain), limits.other],
  ['a frame of a transfer', pduNs(transfer), limits.transfer],
  ['a frame of a truck, one of twenty in transfers', pduNs(mixed), limits.mixed],
];
service.close();

const figure = (what, ns) => `${what.padEnd(48)} ${ns.toFixed(1).padStart(7)} ns`;
console.log(figure('decoding alone', decodeNs));
console.log(figure('a frame that a plan of 8 signals decodes', planNs));
for (const [what, ns, limit] of results) {
  const ratio = ns / planNs;
  const verdict = ratio <= limit ? '' : '  TOO SLOW';
  if (verdict !== '') process.exitCode = 1;
  console.log(`${figure(what, ns)}, ${ratio.toFixed(2)} of that, at most ${limit}${verdict}`);
}
if (found < passes) throw new Error(`Only ${found} PDUs were found`);
