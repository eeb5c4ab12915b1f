import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import koffi from 'koffi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NativeLibrary } from './native-library.ts';
import { buildLibrary, faultySource, hasCompiler } from './testing/build-plugins.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const name = {
  id: 'faulty',
  kind: 'transformation',
  library: 'plugins/faulty.so',
  entry: 'faulty',
} as const;

describe.skipIf(!hasCompiler)('a library of plugins', () => {
  let folder: string;
  let file: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-library-'));
    file = buildLibrary(faultySource, join(folder, 'faulty.so'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('stays while its functions can be called, although nothing else refers to it', async () => {
    const { functions } = new NativeLibrary(koffi, file, name).plugin(name);
    for (let round = 0; round < 3; round++) {
      collect();
      // Handles are freed between turns of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(functions.run).toBeDefined();
    expect(readFileSync('/proc/self/maps', 'utf8')).toContain(file);
  });
});
