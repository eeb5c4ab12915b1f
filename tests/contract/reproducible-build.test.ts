import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../../src/base/testing/long.ts';
import { repository } from '../support/workbench.ts';

const hashOf = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex');

const isDebian = existsSync('/usr/bin/dpkg-deb');
const arch = process.arch === 'x64' ? 'amd64' : 'arm64';

/** Every file of a folder with the hash of its content. */
const hashesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [relative(folder, file), hashOf(file)])
      .sort(),
  );

/** The tree including uncommitted changes, without built or installed files. */
const copyTree = (place: string): void => {
  mkdirSync(place, { recursive: true });
  const list = 'git ls-files --cached --others --exclude-standard --deduplicate -z';
  const pack = 'tar -c --null --ignore-failed-read -T -';
  execFileSync('sh', ['-c', `${list} | ${pack} | tar -x -C "$0"`, place], {
    cwd: repository,
    stdio: 'ignore',
  });
};

const buildIn = (place: string): void => {
  symlinkSync(join(repository, 'node_modules'), join(place, 'node_modules'));
  const options: ExecFileSyncOptions = { cwd: place, stdio: ['ignore', 'ignore', 'pipe'] };
  execFileSync(process.execPath, ['scripts/build.mjs', '--without-code'], options);
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', place], options);
  if (!isDebian) return;
  execFileSync(
    process.execPath,
    ['scripts/package-deb.mjs', `--arch=${arch}`, '--compression=gzip'],
    { ...options, env: { ...process.env, SOURCE_DATE_EPOCH: '1700000000' } },
  );
};

/** Two consecutive builds take minutes on a busy machine. */
const buildingMs = 900_000;

describe.runIf(isLong)('two builds of the same sources', () => {
  let directory: string;
  let places: [string, string];

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-builds-'));
    places = [join(directory, 'one'), join(directory, 'deeper', 'and', 'longer', 'than', 'one')];
    copyTree(places[0]);
    cpSync(places[0], places[1], { recursive: true });
    for (const place of places) buildIn(place);
  }, buildingMs);
  afterAll(() => rmSync(directory, { recursive: true }));

  it.each(['bin', 'dist'])('have the same %s', (folder) => {
    const [one, other] = places.map((place) => hashesIn(join(place, folder)));
    expect(Object.keys(one ?? {}).length).toBeGreaterThan(1);
    expect(other).toEqual(one);
  });

  it.each(['busbar-0.1.0.tgz', ...(isDebian ? [`busbar_0.1.0-1_${arch}.deb`] : [])])(
    'are packed into the same %s',
    (archive) => {
      const [one, other] = places.map((place) => hashOf(join(place, archive)));
      expect(other).toBe(one);
    },
  );
});
