import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAsc } from '../../src/trace/asc/asc-writer.ts';
import { createCandump } from '../../src/trace/candump/candump-writer.ts';
import { hasPeer } from '../support/peers.ts';
import { type PlainFrame, randomFrames, readTrace, writeTrace } from './support/trace-frames.ts';

const tools = ['/usr/bin/log2asc', '/usr/bin/asc2log'];
const available = tools.every((tool) => hasPeer(tool, 'can-utils'));

const run = (program: string, ...args: string[]): void => {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
};

/** The part of a frame that both formats contain. */
const shared = ({ time, ...frame }: PlainFrame): Partial<PlainFrame> => frame;

describe.runIf(available)('logs between Busbar and can-utils', () => {
  let folder: string;
  const at = (name: string): string => join(folder, name);
  // Old can-utils have no errors in these files, and parse every remote frame as one without
  // bytes.
  const frames = randomFrames(600)
    .filter(({ error }) => !error)
    .map((frame) => (frame.remote ? { ...frame, length: 0 } : frame));

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-can-utils-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('log2asc makes the same ASC of our log as we do', () => {
    writeTrace(at('ours.log'), createCandump, frames);
    run('/usr/bin/log2asc', '-I', at('ours.log'), '-O', at('theirs.asc'), 'can0', 'can1', 'can2');
    const { frames: found, account } = readTrace(at('theirs.asc'));
    expect(account.malformed).toBe(0);
    expect(found.map(shared)).toEqual(frames.map(shared));
    expect(found.map(({ time }) => time)).toEqual(frames.map(({ time }) => time));
  });

  it('asc2log makes the same log of our ASC as we do', () => {
    writeTrace(at('ours.asc'), createAsc, frames);
    run('/usr/bin/asc2log', '-I', at('ours.asc'), '-O', at('theirs.log'));
    const { frames: found, names } = readTrace(at('theirs.log'));
    const numbered = found.map((frame) => ({
      ...frame,
      channel: Number(names.get(frame.channel)?.slice('can'.length)) + 1,
    }));
    // It names channel 1 can0, and writes no directions.
    expect(numbered.map((frame) => ({ ...shared(frame), rx: true }))).toEqual(
      frames.map((frame) => ({ ...shared(frame), rx: true })),
    );
  });
});
