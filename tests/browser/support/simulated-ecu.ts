import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConsolePage } from './console-page.ts';

const linear = { kind: 'linear', raw: 'unsigned', bit_length: 16 };

const ecus = {
  engine: {
    ...{ channel: 'SIM00001/1', request_id: '7E0', response_id: '7E8', functional_id: '7DF' },
    dids: {
      F190: { name: 'vin', length: 17, codec: 'ascii' },
      F18C: { name: 'serial', length: 2 },
      '0100': { name: 'cycles', length: 2, codec: linear },
      '0200': { name: 'missing', length: 1 },
    },
  },
  door: { channel: 'SIM00001/1', request_id: '7E1', response_id: '7E9' },
};

const model = {
  dids: {
    F190: { text: 'WBUSBAR0000000001' },
    F18C: { hex: '00A5', writable: true, sessions: [1, 3] },
    '0100': { counter: 2 },
  },
  dtcs: [
    { dtc: '012345', status: 0x2f, snapshot: '01F18C00A5', extended: '05' },
    { dtc: 'C10055', status: 0x50 },
  ],
  security: { '1': { seed: 'DEADBEEF', key: 'CAFE' } },
  routines: { '0203': { duration_ms: 80, result: 'FF' } },
  memory: { address: 0x8000000, size: 65_536, block_length: 66 },
};

const sequence = {
  name: 'Application',
  steps: [
    { step: 'session', session: 'programming' },
    { step: 'security', level: 1, key: 'CAFE' },
    { step: 'download' },
    { step: 'reset', reset: 'hard' },
  ],
};

/** Names two ECUs in the bench file; files of the project describe one, and how to flash it. */
export const nameEcus = ({ bench }: ConsolePage): void => {
  const write = (name: string, content: string | Uint8Array): void =>
    writeFileSync(join(bench.project, name), content);
  const file = join(bench.project, 'busbar.bench.json');
  const present: object = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  write('busbar.bench.json', JSON.stringify({ ...present, ecus }));
  write('engine.json', JSON.stringify(model));
  write('steps.json', JSON.stringify(sequence));
  write('image.bin', new Uint8Array(4096).fill(0x5a));
  write('long.bin', new Uint8Array(65_536).fill(0x5a));
};

/** The engine answers on the other channel of its bus. */
export const serveEngine = async (console: ConsolePage): Promise<void> => {
  nameEcus(console);
  await console.bench.json(
    ...['ecu', 'serve', '--file=engine.json', '--channel=SIM00001/0', '--ecu=engine'],
  );
};
