import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RecorderSummary } from '../../api/client.ts';
import { requestProblems } from '../../forms/contract.ts';
import type { OpenApiDocument } from '../../state/bench.ts';
import {
  bytesOf,
  bytesText,
  changeOf,
  draftOf,
  emptyDraft,
  formatOf,
  isTriggered,
} from './recorder-draft.ts';

const published = join(import.meta.dirname, '../../../../docs/reference/openapi.json');
const document: OpenApiDocument = JSON.parse(readFileSync(published, 'utf8'));

const recorder: RecorderSummary = {
  name: 'night',
  source: 'request',
  state: 'idle',
  file: 'night-{n}.asc',
  channels: null,
  format: 'asc',
  split: null,
  keep: null,
  compress: false,
  embed_databases: false,
  trigger: null,
  sync_seconds: 1,
  frames: 0,
  bytes: 0,
  gaps: 0,
  missed: 0,
  started_at_us: null,
  stopped_at_us: null,
  error: null,
  recorded: [],
};

describe('a size', () => {
  it.each([
    ['100 MB', 100_000_000],
    ['1.5GB', 1_500_000_000],
    ['64 KiB', 65_536],
    ['70kb', 70_000],
    [' 65536 ', 65_536],
    ['', undefined],
    ['large', 'large'],
    ['5 TB', '5 TB'],
  ])('%j is %j', (text, bytes) => {
    expect(bytesOf(text)).toBe(bytes);
  });

  it.each([
    [undefined, ''],
    [100_000_000, '100 MB'],
    [1_500_000_000, '1.5 GB'],
    [65_536, '65536'],
    [70_000, '70 kB'],
  ])('%j is shown as %j, and read back', (bytes, text) => {
    expect(bytesText(bytes)).toBe(text);
    expect(bytesOf(text)).toBe(bytes);
  });
});

describe('the draft of a recorder', () => {
  it('has its settings as text', () => {
    const split = { max_bytes: 100_000_000, max_seconds: 3600 };
    const trigger = { start: 'error', pre_ms: 2000, once: true };
    expect(draftOf({ ...recorder, channels: ['SIM00001/0'], split, trigger })).toEqual({
      ...emptyDraft,
      name: 'night',
      file: 'night-{n}.asc',
      channels: ['SIM00001/0'],
      split_bytes: '100 MB',
      split_seconds: '3600',
      start: 'error',
      pre_ms: '2000',
      once: true,
      sync_seconds: '1',
    });
  });

  it('names the format only if the extension is another one', () => {
    expect(draftOf(recorder).format).toBe('');
    expect(draftOf({ ...recorder, file: 'night-{n}.txt' }).format).toBe('asc');
    expect(formatOf({ ...emptyDraft, file: 'a.MF4' })).toBe('mf4');
    expect(formatOf({ ...emptyDraft, file: 'a.mf4', format: 'blf' })).toBe('blf');
    expect(formatOf({ ...emptyDraft, file: 'a.txt' })).toBe('');
  });

  it('is triggered if it has a condition', () => {
    expect(isTriggered({ ...emptyDraft, stop: 'error' })).toBe(true);
    expect(isTriggered({ ...emptyDraft, start: ' ' })).toBe(false);
  });
});

describe('a change of a recorder', () => {
  it('resets every setting that its form leaves empty', () => {
    const change = changeOf({ file: 'day.blf', split: { max_bytes: 65_536 } });
    expect(change).toEqual({
      file: 'day.blf',
      channels: [],
      split: { max_bytes: 65_536 },
      keep: {},
      trigger: {},
      compress: false,
      embed_databases: false,
      sync_seconds: 1,
    });
    expect(requestProblems(document, 'recorder.update', change)).toEqual([]);
  });
});
