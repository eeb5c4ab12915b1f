import { closeSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BusbarError } from '../errors/busbar-error.ts';
import { cases } from '../testing/long.ts';
import { ProjectRoot } from './project-root.ts';
import { FileSandbox } from './testing/file-sandbox.ts';
import { textOf } from './testing/refusals.ts';

/** Replaces a directory by a link and back, continuously, until stopped. */
const swapper = `
  const { renameSync } = require('node:fs');
  const { join } = require('node:path');
  const { workerData: { project, shared } } = require('node:worker_threads');
  const cells = new Int32Array(shared);
  const [dir, link, parked] = ['dir', 'spare', 'parked'].map((name) => join(project, name));
  while (Atomics.load(cells, 1) === 0) {
    renameSync(dir, parked);
    renameSync(link, dir);
    renameSync(dir, link);
    renameSync(parked, dir);
    Atomics.add(cells, 0, 1);
    Atomics.notify(cells, 0);
  }
`;

const fewestTries = cases(600, 3_000);
const fewestSwaps = cases(600, 3_000);
/** Ends the test on a machine so busy that the swapping thread hardly runs. */
const maxTries = 400_000;

describe('opening while another thread swaps a directory for a link to the outside', () => {
  let sandbox: FileSandbox;
  let root: ProjectRoot;

  beforeEach(() => {
    sandbox = new FileSandbox();
    sandbox.write('project/dir/secret.txt', 'inside');
    sandbox.write('outside/secret.txt', 'SECRET');
    sandbox.link('project/spare', sandbox.outside);
    root = ProjectRoot.open(sandbox.project);
  });

  afterEach(() => {
    root.close();
    sandbox.dispose();
  });

  /** Counts the outcomes until there were enough tries and swaps and each outcome was seen. */
  const race = async (attempt: (n: number) => string): Promise<Map<string, number>> => {
    const cells = new Int32Array(new SharedArrayBuffer(8));
    const workerData = { project: sandbox.project, shared: cells.buffer };
    const worker = new Worker(swapper, { eval: true, workerData });
    const ended = new Promise<number>((done, failed) =>
      worker.on('exit', done).on('error', failed),
    );
    const seen = new Map<string, number>();
    // The limit only prevents a thread that failed to start from blocking the test.
    expect(Atomics.wait(cells, 0, 0, 60_000)).not.toBe('timed-out');
    for (let n = 0; n < maxTries; n += 1) {
      const outcome = outcomeOf(() => attempt(n));
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      const enough = n >= fewestTries && Atomics.load(cells, 0) >= fewestSwaps;
      if (enough && seen.has('inside') && seen.has('path_outside_project')) break;
    }
    Atomics.store(cells, 1, 1);
    expect(await ended).toBe(0);
    expect(Atomics.load(cells, 0)).toBeGreaterThanOrEqual(fewestSwaps);
    return seen;
  };

  const outcomeOf = (attempt: () => string): string => {
    try {
      return attempt();
    } catch (thrown) {
      return BusbarError.from(thrown).code;
    }
  };

  const expectOnlySafeOutcomes = (seen: Map<string, number>): void => {
    const { inside = 0, path_outside_project: refused = 0, ...others } = Object.fromEntries(seen);
    expect(inside).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
    // Between two renames the name does not exist; no other outcome is possible.
    expect(Object.keys(others).filter((outcome) => outcome !== 'file_not_found')).toEqual([]);
  };

  it('returns inside content or refuses, and never the outside', async () => {
    const held = sandbox.heldDescriptors();
    const seen = await race(() => textOf(root.openForReading('dir/secret.txt')));
    expectOnlySafeOutcomes(seen);
    expect(sandbox.heldDescriptors()).toBe(held);
  });

  it('creates inside or refuses, and never outside', async () => {
    const made: string[] = [];
    const seen = await race((n) => {
      const name = `new-${n}`;
      const { fd } = root.openForWriting(`dir/${name}`, { exclusive: true });
      closeSync(fd);
      made.push(name);
      return 'inside';
    });
    expectOnlySafeOutcomes(seen);
    expect(readdirSync(sandbox.outside)).toEqual(['secret.txt']);
    expect(made.every((name) => existsSync(join(sandbox.project, 'dir', name)))).toBe(true);
  });
});
