import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isLong } from '../../base/testing/long.ts';
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

  /** Loads the current file at the path. */
  const host = (path: () => string) =>
    new PluginHost({
      boardFile,
      turns: { next: async () => undefined },
      open: async () => {
        const file = path();
        const libraries = [{ library: 'plugins/faulty.so', path: file, identity: file }];
        return { handle: 1, libraries };
      },
      close: () => undefined,
    });

  const load = async (plugins: PluginHost): Promise<void> => {
    const image = buildImage(readLoose(faultyProject('faulty.so')).toProject());
    (await plugins.load({ name: 'plant', file: 'plant.gwproj', image })).release();
  };

  it('can be loaded once the file is there that notes their calls', async () => {
    buildLibrary(faultySource, library);
    const plugins = host(() => library);
    await expect(load(plugins)).rejects.toThrow('ENOENT');
    mkdirSync(join(folder, 'home'));
    await expect(load(plugins)).resolves.toBeUndefined();
  });

  it.runIf(isLong)(
    'keep no descriptor of a library, however many builds of it are loaded',
    async () => {
      mkdirSync(join(folder, 'home'));
      let build = 0;
      const plugins = host(() => {
        build += 1;
        return buildLibrary(faultySource, join(folder, `faulty-${build}.so`), `-DBUILD=${build}`);
      });
      await load(plugins);
      const before = readdirSync('/proc/self/fd').length;
      for (let more = 0; more < 5; more++) await load(plugins);
      expect(readdirSync('/proc/self/fd')).toHaveLength(before);
    },
  );
});
