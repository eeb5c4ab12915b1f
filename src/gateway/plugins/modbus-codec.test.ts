import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineRig } from '../engine/testing/engine-rig.ts';
import { buildLibrary, hasCompiler, reversedSource } from './testing/build-plugins.ts';
import { loadPlugins } from './testing/load-plugins.ts';

const reversed = {
  id: 'reversed',
  kind: 'codec',
  library: 'plugins/reversed.so',
  entry: 'reversed_bytes',
} as const;

const resource = { endpoint: 'pump', count: 4 };

const project = () => ({
  format: 'gwproj',
  schema_version: 1,
  endpoints: [{ id: 'pump', kind: 'modbus', role: 'client', network: 'line', node: 7 }],
  signals: [
    { id: 'total', type: 'uint64', producer: 'input' },
    { id: 'limit', type: 'uint64', producer: 'software', initial: '0' },
  ],
  codecs: [{ id: 'wide', kind: 'native', plugin: 'reversed', bit_length: 64 }],
  modbus_resources: [
    { ...resource, id: 'r', table: 'input', address: 0, access: 'poll', poll_ms: 100 },
    { ...resource, id: 'w', table: 'holding', address: 10, access: 'write' },
  ],
  bindings: [
    { id: 'total.rx', signal: 'total', direction: 'rx', resource: 'r', codec: 'wide' },
    { id: 'limit.tx', signal: 'limit', direction: 'tx', resource: 'w', codec: 'wide' },
  ],
  tx_tasks: [{ id: 'Limit', resources: ['w'], policy: 'on_change' }],
  plugins: [reversed],
});

describe.skipIf(!hasCompiler)('a codec of a plugin on Modbus registers', () => {
  let folder: string;
  let rig: EngineRig;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-registers-'));
    const file = buildLibrary(reversedSource, join(folder, 'reversed.so'));
    rig = new EngineRig(project(), loadPlugins({ ...reversed, file })).start();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('decodes all 64 bits of four registers, the first of them highest', () => {
    rig.poll('pump input 0+4 every 100', [0x0102, 0x0304, 0x0506, 0xfffe]);
    rig.run();
    expect(rig.signal('total')).toMatchObject({
      value: String(0xfeff_0605_0403_0201n),
      quality: 'good',
    });
  });

  it('encodes them as it decodes them', () => {
    rig.set('limit', String(0xfeff_0605_0403_0201n));
    rig.run();
    expect(rig.sent('Limit')).toEqual(['0000000000000000', '010203040506fffe']);
    expect(rig.groups('Limit').at(-1)).toMatchObject([
      { kind: 'write', request: { kind: 'write_registers', address: 10, count: 4 } },
    ]);
  });
});
