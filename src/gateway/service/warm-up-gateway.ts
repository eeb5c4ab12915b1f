import type { Clock } from '../../base/clock/clock.ts';
import { pause } from '../../base/clock/pause.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import type { ProjectImage } from '../image/project-image.ts';
import type { InstanceRegistry } from '../instances/instance-registry.ts';
import type { InstanceController } from '../runtime/instance-controller.ts';

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, row) => row);

const mirrored = range(4);
const sent = range(8);
const signalsOfMessage = 8;
const places = sent.flatMap((row) => range(signalsOfMessage).map((place) => ({ row, place })));

const u16 = { id: 'u16', kind: 'linear', raw: 'unsigned', bit_length: 16, byte_order: 'intel' };

const sine = {
  producer: 'waveform',
  waveform: { kind: 'sine', amplitude: 100, offset: 200, period_ms: 50, phase: 0, sample_ms: 1 },
};

export interface WarmUpNetworks {
  readonly from: string;
  readonly to: string;
}

export const warmUpProject = ({ from, to }: WarmUpNetworks): string =>
  JSON.stringify({
    ...{ format: 'gwproj', schema_version: 1 },
    endpoints: [
      { id: 'from', kind: 'can', network: from },
      { id: 'to', kind: 'can', network: to },
    ],
    signals: [
      ...mirrored.flatMap((row) => [
        { id: `in${row}`, type: 'uint64', producer: 'input' },
        { id: `out${row}`, type: 'uint64', producer: 'derived' },
      ]),
      ...places.map(({ row, place }) => ({
        ...{ id: `m${row}.${place}`, type: 'float64' },
        ...(place % 2 > 0 ? { producer: 'software', initial: '20' } : sine),
      })),
    ],
    codecs: [u16, { ...u16, id: 'tenths', factor: 0.1 }],
    messages: [
      ...mirrored.flatMap((row) => [
        {
          ...{ id: `in${row}`, endpoint: 'to', direction: 'rx', can_id: 0x500 + row },
          ...{ fd: true, brs: row % 2 > 0, length: 2 * signalsOfMessage, stale_after_ms: 1000 },
        },
        { id: `out${row}`, endpoint: 'to', direction: 'tx', can_id: 0x400 + row, length: 2 },
      ]),
      ...sent.map((row) => ({
        ...{ id: `m${row}`, endpoint: 'from', direction: 'tx', can_id: 0x500 + row },
        ...{ fd: true, brs: row % 2 > 0, length: 2 * signalsOfMessage, period_ms: 1 },
      })),
    ],
    bindings: [
      ...mirrored.flatMap((row) => [
        {
          ...{ id: `in${row}`, signal: `in${row}`, direction: 'rx', message: `in${row}` },
          ...{ codec: 'u16', start_bit: 0 },
        },
        {
          ...{ id: `out${row}`, signal: `out${row}`, direction: 'tx', message: `out${row}` },
          ...{ codec: 'u16', start_bit: 0 },
        },
      ]),
      ...places.map(({ row, place }) => ({
        ...{ id: `m${row}.${place}`, signal: `m${row}.${place}`, direction: 'tx' },
        ...{ message: `m${row}`, codec: 'tenths', start_bit: 16 * place },
      })),
    ],
    mappings: mirrored.map((row) => ({
      ...{ id: `map${row}`, inputs: [`in${row}`], outputs: [`out${row}`] },
    })),
    tx_tasks: [
      ...mirrored.map((row) => ({ id: `out${row}`, message: `out${row}`, policy: 'on_change' })),
      ...sent.map((row) => ({ id: `m${row}`, message: `m${row}` })),
    ],
  });

/** Enough for V8 to compile the code of a start. */
const starts = 16;
/** Enough for some frames of each task, and for V8 to optimize their path. */
const runMs = { each: 2, last: 250 } as const;
const name = 'warm-up';

export const warmUpGateway = async (
  gateways: InstanceController,
  instances: InstanceRegistry,
  image: ProjectImage,
  bench: BenchSource,
  clock: Clock,
): Promise<void> => {
  for (let start = 0; start < starts; start++) {
    instances.commit(instances.reserve(name), '', image);
    await gateways.start(name, bench);
    await pause(clock, start < starts - 1 ? runMs.each : runMs.last);
    await gateways.stop(name);
    gateways.unload(name);
  }
};
