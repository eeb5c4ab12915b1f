// Cost of live plans for the decoding thread: 1,000 plans of 8 signals on 6 channels with full
// histories. Time per unwanted record compared with a bare walk, time per wanted record
// compared with decoding alone, and memory. Usage: node --expose-gc bench/live-plans.mjs
import { loadSource } from '../scripts/load-source.mjs';

const channelCount = 6;
const planCount = 1000;
const signalCount = 8;
const historyLength = 1024;
const recordCount = 8192;
const roundLength = 256;
const turnCount = 40;
const recordBytes = 128;
const recordsPerSecond = 40_000;
const wantedPerSecond = 20_000;

const [{ PlanSet }, { LivePlan }, { compileDecoder }, frm2] = await Promise.all(
  [
    'src/signal/live/plan-set.ts',
    'src/signal/live/live-plan.ts',
    'src/signal/compile-decoder.ts',
    'src/frame/frm2-codec.ts',
  ].map(loadSource),
);

const message = (id) => ({
  name: `M${id}`,
  id,
  extended: false,
  fd: false,
  brs: false,
  length: 8,
  senders: [],
  cycleTimeMs: null,
  comment: null,
  attributes: {},
  signals: Array.from({ length: signalCount }, (_, at) => ({
    name: `S${at}`,
    startBit: at * 8,
    length: 8,
    byteOrder: 'intel',
    kind: 'unsigned',
    factor: '0.5',
    offset: '-40',
    minimum: null,
    maximum: null,
    unit: 'km/h',
    receivers: [],
    isSwitch: false,
    multiplexing: null,
    values: [],
    initialRaw: null,
    comment: null,
    attributes: {},
  })),
});

const channelOf = (plan) => plan % channelCount;
const idOf = (plan) => 0x100 + Math.floor(plan / channelCount);

/** Shuffled records, so that caches help as little as on a bus. */
const recordsOf = (idFor) => {
  const view = new DataView(new ArrayBuffer(recordCount * recordBytes));
  for (let at = 0; at < recordCount; at++) {
    const plan = (at * 7919) % planCount;
    const data = Uint8Array.from({ length: 8 }, (_, byte) => at + byte);
    const offset = at * recordBytes;
    frm2.writeFrm2(view, offset, 1, 1, channelOf(plan), idFor(plan), 0, 8, data, 0, 8);
    frm2.setFrm2EventId(view, offset, 2 ** 40 + at);
    frm2.setFrm2TimestampUs(view, offset, 1_700_000_000_000_000 + at);
  }
  return view;
};

const memory = () => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

/** Nanoseconds per record in the best round: other programs only slow it down. */
const bestNs = (view, take) => {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < (turnCount * recordCount) / roundLength; round++) {
    const first = (round * roundLength) % recordCount;
    const start = process.hrtime.bigint();
    for (let at = first; at < first + roundLength; at++) take(view, at * recordBytes);
    best = Math.min(best, Number(process.hrtime.bigint() - start) / roundLength);
  }
  return best;
};

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
const line = (what, figure) => console.log(`${what.padEnd(46)} ${figure}`);

const wanted = recordsOf(idOf);
const strangers = recordsOf((plan) => 0x400 + plan);
const empty = memory();
const set = new PlanSet();
for (let at = 0; at < planCount; at++) {
  const planId = `plan-${at}`;
  set.add(
    new LivePlan({
      planId,
      channel: channelOf(at),
      message: message(idOf(at)),
      history: historyLength,
    }),
  );
}
line(`${planCount} plans without traffic`, megabytes(memory() - empty));

let sum = 0;
const walkNs = bestNs(strangers, (view, at) => {
  sum += frm2.frm2Channel(view, at) + frm2.frm2Id(view, at) + frm2.frm2Flags(view, at);
});
const strangerNs = bestNs(strangers, (view, at) => set.take(view, at));
line(
  'a record that no plan wants',
  `${strangerNs.toFixed(1)} ns, a bare walk ${walkNs.toFixed(1)} ns`,
);

while (set.list().some(({ frames }) => frames <= historyLength))
  bestNs(wanted, (view, at) => set.take(view, at));
const heapBefore = memory();
const wantedNs = bestNs(wanted, (view, at) => set.take(view, at));
const decoders = set.list().map((plan) => compileDecoder(plan.message));
const values = decoders.map((decoder) => decoder.newValues());
let next = 0;
const decodeNs = bestNs(wanted, (view, at) => {
  const plan = (next++ * 7919) % planCount;
  decoders[plan].decode(view, at + 64, 8, values[plan]);
});
line(
  'a record that a plan wants',
  `${wantedNs.toFixed(1)} ns, decoding alone ${decodeNs.toFixed(1)} ns`,
);
line(
  `${planCount} plans × ${signalCount} signals × ${historyLength} samples`,
  megabytes(heapBefore - empty),
);
const share =
  (wantedPerSecond * wantedNs + (recordsPerSecond - wantedPerSecond) * strangerNs) / 1e7;
line(
  `${recordsPerSecond} records/s, ${wantedPerSecond} of them wanted`,
  `${share.toFixed(2)} % of a core`,
);

globalThis.gc?.();
const usedBefore = process.memoryUsage().heapUsed;
for (let at = 0; at < recordCount; at++) set.take(wanted, at * recordBytes);
const perRecord = (process.memoryUsage().heapUsed - usedBefore) / recordCount;
line('garbage for a record that a plan wants', `${perRecord.toFixed(1)} bytes`);
if (sum < 0 || set.newestSequence === 0) process.exitCode = 1;
