import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBlf } from '../../src/trace/blf/create-blf.ts';
import { hasPeer } from '../support/peers.ts';
import { randomFrames, writeTrace } from './support/trace-frames.ts';

const tshark = '/usr/bin/tshark';

describe.runIf(hasPeer(tshark, 'tshark'))('tshark', () => {
  it('finds every frame of our BLF, with its identifier, bytes and time', () => {
    const folder = mkdtempSync(join(tmpdir(), 'busbar-tshark-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'ours.blf');
    // It skips our kind of error frames.
    const frames = randomFrames(400).filter(({ error }) => !error);
    writeTrace(path, createBlf, frames);
    const fields = ['can.id', 'can.flags.xtd', 'can.flags.rtr', 'frame.time_epoch', 'data.data'];
    // Otherwise it sends random bytes.
    const plainly = ['--disable-protocol', 'autosar-nm'];
    const columns = fields.flatMap((field) => ['-e', field]);
    const { status, stdout, stderr } = spawnSync(
      tshark,
      ['-r', path, '-T', 'fields', '-E', 'occurrence=f', ...plainly, ...columns],
      { encoding: 'utf8', maxBuffer: 1 << 26 },
    );
    expect({ status, failed: status === 0 ? '' : stderr }).toEqual({ status: 0, failed: '' });
    const rows = stdout.trimEnd().split('\n');
    const start = rows[0]?.split('\t')[3] ?? '';
    const micros = (epoch: string): number => {
      const [seconds = '', fraction = ''] = epoch.split('.');
      return Number(seconds) * 1e6 + Number(fraction.slice(0, 6));
    };
    const found = rows.map((row) => {
      const [id = '', extended, remote, time = '', data = ''] = row.split('\t');
      return {
        id: Number(id),
        extended: extended === '1' || extended === 'True',
        remote: remote === '1' || remote === 'True',
        time: micros(time) - micros(start),
        data: data.toUpperCase(),
      };
    });
    expect(found).toEqual(
      frames.map(({ id, extended, remote, time, data }) => ({ id, extended, remote, time, data })),
    );
  });
});
