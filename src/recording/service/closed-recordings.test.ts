import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RecordingFormat } from '../recording-record.ts';
import { readRecording } from '../testing/read-recording.ts';
import { RecorderBench } from '../testing/recorder-bench.ts';
import { compressRecording, countEvents } from './closed-recordings.ts';

const record = (ending: string, format: RecordingFormat) => {
  const bench = new RecorderBench();
  onTestFinished(() => bench.dispose());
  const channel = bench.open(0, { slots: 8192 });
  bench.begin({ name: 'night', file: `night${ending}`, format });
  for (let round = 0; round < 2; round++) {
    bench.publish(channel, 1000);
    bench.release();
  }
  bench.recorder.finish();
  const { project } = bench.files;
  const compress = (to: string) =>
    compressRecording({ projectRoot: project, folder: '', from: `night${ending}`, to });
  return { project, compress, read: (file: string) => readRecording(join(project, file)) };
};

describe('compressRecording', () => {
  it('compresses an MF4 file inside, which keeps its name and events', async () => {
    const { project, compress, read } = record('.mf4', 'mf4');
    const before = read('night.mf4');
    await compress('night.mf4');
    const { text, ...after } = read('night.mf4');
    expect(text.slice(0, 8)).toBe('MDF     ');
    expect(text.length).toBeLessThan(before.text.length / 2);
    expect({ ...after, text: before.text }).toEqual(before);
    expect([after.ids.length, after.malformed, after.truncated]).toEqual([2000, 0, false]);
    expect(readdirSync(project).sort()).toEqual(['night.files.json', 'night.mf4']);
  });

  it('leaves a file alone that is compressed already', async () => {
    const { project, compress } = record('.mf4', 'mf4');
    await compress('night.mf4');
    const once = readFileSync(join(project, 'night.mf4'));
    await expect(compress('night.mf4')).rejects.toMatchObject({ code: 'invalid_trace' });
    expect(readFileSync(join(project, 'night.mf4'))).toEqual(once);
    expect(readdirSync(project).sort()).toEqual(['night.files.json', 'night.mf4']);
  });

  it('compresses text as a whole', async () => {
    const { compress, read } = record('.asc', 'asc');
    await compress('night.asc.gz');
    expect(read('night.asc.gz').ids).toEqual(read('night.asc').ids);
  });
});

describe('countEvents', () => {
  it.each([
    ['.asc', 'asc'],
    ['.blf', 'blf'],
    ['.log', 'candump'],
    ['.mf4', 'mf4'],
  ] as const)('counts the whole events of a cut file: %s', async (ending, format) => {
    const { project, read } = record(ending, format);
    const path = join(project, `cut${ending}`);
    const bytes = readFileSync(join(project, `night${ending}`));
    writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length * 0.7)));
    const count = await countEvents({ projectRoot: project, folder: '', from: `cut${ending}` });
    expect(count).toBe(read(`cut${ending}`).ids.length);
  });

  it('counts nothing in a file that a killed recorder had only created', async () => {
    const { project } = record('.log', 'candump');
    writeFileSync(join(project, 'cut.log'), '');
    expect(await countEvents({ projectRoot: project, folder: '', from: 'cut.log' })).toBe(0);
  });
});
