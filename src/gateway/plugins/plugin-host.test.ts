import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildImage } from '../image/build-image.ts';
import { readLoose } from '../project/testing/read-text.ts';
import { PluginHost } from './plugin-host.ts';
import { buildLibrary, faultySource, hasCompiler } from './testing/build-plugins.ts';
import { faultyProject } from './testing/plugin-project.ts';

describe.skipIf(!hasCompiler)('the plugins of a thread', () => {
  let folder: string;
  let boardFile: string;
  let library: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-plugins-'));
    boardFile = join(folder, 'home/plugin-calls');
    library = join(folder, 'faulty.so');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const host = () => new PluginHost({ boardFile, turns: { next: async () => undefined } });

  const load = async (plugins: PluginHost): Promise<void> => {
    const image = buildImage(readLoose(faultyProject('faulty.so')).toProject());
    const fd = openSync(library, 'r');
    try {
      const opened = [{ library: 'plugins/faulty.so', fd, identity: 'one' }];
      (await plugins.load('plant', image, opened)).release();
    } finally {
      closeSync(fd);
    }
  };

  it('can be loaded once the file is there that notes their calls', async () => {
    buildLibrary(faultySource, library);
    const plugins = host();
    await expect(load(plugins)).rejects.toThrow('ENOENT');
    mkdirSync(join(folder, 'home'));
    await expect(load(plugins)).resolves.toBeUndefined();
  });

  it('keep no descriptor of a library that could not be loaded', async () => {
    mkdirSync(join(folder, 'home'));
    writeFileSync(library, 'no library at all');
    const plugins = host();
    const refused = { code: 'plugin_failed', details: { reason: 'not_loadable' } };
    await expect(load(plugins)).rejects.toMatchObject(refused);
    const before = readdirSync('/proc/self/fd').length;
    for (let start = 0; start < 5; start++)
      await expect(load(plugins)).rejects.toMatchObject(refused);
    expect(readdirSync('/proc/self/fd')).toHaveLength(before);
  });
});
