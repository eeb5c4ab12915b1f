/**
 * Rounds of an engine that each handle a poll response and update a server, with a transport
 * that writes registers. Prints the bytes allocated per round once V8 has compiled the code,
 * and the values served in a round.
 */
import { buildImage } from '../../image/build-image.ts';
import { StateWriter } from '../../image/image-state.ts';
import type { ServerMemory } from '../../modbus/server-image.ts';
import { loadProject } from '../../project/load-project.ts';
import { Engine } from '../engine.ts';

const warmUpRounds = 100_000;
const rounds = 20_000;
const roundUs = 1000;
const places = [0, 1, 2, 3, 4, 5, 6, 7];

/** Eight registers of a unit, polled by one read, mirrored one by one. */
const project = {
  format: 'gwproj',
  schema_version: 1,
  endpoints: [
    { id: 'unit', kind: 'modbus', role: 'client', network: 'line', node: 1 },
    { id: 'panel', kind: 'modbus', role: 'server', network: 'panel', node: 1 },
  ],
  signals: places.map((place) => ({ id: `s${place}`, type: 'float64', producer: 'input' })),
  codecs: [{ id: 'tenth', kind: 'linear', raw: 'unsigned', bit_length: 16, factor: 0.1 }],
  modbus_resources: places.flatMap((address) => [
    { id: `p${address}`, endpoint: 'unit', table: 'holding', address, count: 1, access: 'poll' },
    { id: `m${address}`, endpoint: 'panel', table: 'input', address, count: 1, access: 'serve' },
  ]),
  bindings: places.flatMap((place) => {
    const signal = `s${place}`;
    return [
      { id: `${signal}.rx`, signal, direction: 'rx', resource: `p${place}`, codec: 'tenth' },
      { id: `${signal}.tx`, signal, direction: 'tx', resource: `m${place}`, codec: 'tenth' },
    ];
  }),
};

/** Registers that clients read. */
const shown = new Uint16Array(places.length);
const registers = {
  get: (address: number): number => shown[address] as number,
  put: (address: number, item: number): void => {
    shown[address] = item;
  },
};
const noBits = { get: () => false, put: () => undefined };
const serverMemory: ServerMemory = {
  tables: { coil: noBits, discrete: noBits, input: registers, holding: registers },
};

const image = buildImage(loadProject(Buffer.from(JSON.stringify(project))));
/** The time is in an array: a variable would create an object for each new value. */
const time = Float64Array.of(123_456_789);
let served = 0;
const engine: Engine = new Engine({
  image,
  writer: new StateWriter(image),
  clock: { unixOffsetUs: 1_700_000_000_000_000, monotonicUs: () => time[0] as number },
  transport: {
    channelOf: () => null,
    send: () => null,
    serve: (server, resource) => {
      const { image: panel, memory } = engine.servers[server] as Engine['servers'][number];
      panel.put(serverMemory, resource, memory);
      served += 1;
    },
  },
});
for (const _ of engine.compile());
for (const _ of engine.reset());
engine.begin(time[0] as number);
engine.run(time[0] as number);

const items = new Uint16Array(places.length);
const run = (count: number): void => {
  for (let round = 0; round < count; round++) {
    time[0] = (time[0] as number) + roundUs;
    for (let place = 0; place < items.length; place++) items[place] = (round + 97 * place) & 0x3fff;
    engine.polled(0, items, time[0] as number);
    engine.run(time[0] as number);
  }
};

run(warmUpRounds);
globalThis.gc?.();
// A collection discards compiled code whose objects are no longer used, so this is also warm-up.
run(rounds);
globalThis.gc?.();
served = 0;
const before = process.memoryUsage().heapUsed;
run(rounds);
const bytes = process.memoryUsage().heapUsed - before;
const isShown = shown.every((register, place) => register === items[place]);
console.log(JSON.stringify({ bytes: bytes / rounds, served: served / rounds, isShown }));
