import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineRig } from '../engine/testing/engine-rig.ts';
import { buildRustLibrary, hasRustCompiler } from './testing/build-plugins.ts';
import { loadPlugins } from './testing/load-plugins.ts';

const plugin = {
  id: 'debounce',
  kind: 'transformation',
  library: 'plugins/debounce.so',
  entry: 'debounce',
} as const;

const project = {
  format: 'gwproj',
  schema_version: 1,
  signals: [
    { id: 'raw', type: 'bool', producer: 'software', initial: '0' },
    { id: 'steady', type: 'bool', producer: 'derived' },
  ],
  mappings: [
    {
      id: 'debounce',
      inputs: ['raw'],
      outputs: ['steady'],
      transform: { kind: 'native', plugin: 'debounce' },
    },
  ],
  plugins: [plugin],
};

// The compiler is too large to be installed only for this: without it, the test is skipped.
describe.skipIf(!hasRustCompiler)('the example plugin in Rust, which needs rustc', () => {
  let folder: string;
  let file: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-rust-'));
    file = buildRustLibrary('debounce', join(folder, 'debounce.so'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('follows its input after the third time, and begins anew at each start', () => {
    const plugins = loadPlugins({ ...plugin, file });
    const rig = new EngineRig(project, plugins).start();
    const follow = (values: string): string =>
      [...values]
        .map((value, step) => {
          rig.set('raw', value, step);
          rig.run(step);
          return rig.signal('steady').value;
        })
        .join('');
    expect(follow('010110111011')).toBe('000000001111');
    rig.stop();
    rig.release();
    rig.set('raw', '0');
    rig.start(1000);
    expect(rig.signal('steady')).toMatchObject({ value: '0', quality: 'good' });
    plugins.destroy();
  });
});
