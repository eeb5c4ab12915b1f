import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Download } from 'playwright-core';
import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { createAsc } from '../../src/trace/asc/asc-writer.ts';
import { createBlf } from '../../src/trace/blf/create-blf.ts';
import { createCandump } from '../../src/trace/candump/candump-writer.ts';
import { createMf4 } from '../../src/trace/mf4/create-mf4.ts';
import { FileSink } from '../../src/trace/testing/memory-bytes.ts';
import { batchOf } from '../../src/trace/testing/trace-events.ts';
import type { CreateTrace } from '../../src/trace/trace-format.ts';
import { hasBrowser } from '../support/browser.ts';
import { driveLog } from '../support/drive-log.ts';
import { type ConsolePage, reuseConsole } from './support/console-page.ts';
import { draggedFile } from './support/in-page.js';

const database = `VERSION ""

BU_: Car

BO_ 291 Pump: 8 Car
 SG_ Pressure : 0|16@1+ (0.5,0) [0|8000] "bar" Car
`;

const frames = Array.from({ length: 3000 }, (_, at) => ({
  ...{ timeNs: at * 1_000_000, channel: 1 + (at % 2), kind: 1, bus: 1, flags: 0, checksum: 0 },
  ...{ id: at % 10 === 3 ? 0x123 : 0x200 + (at % 10), dlc: 2, data: [at & 255, at >> 8] },
}));

const written = (create: CreateTrace): Buffer => {
  const sink = new FileSink();
  const writer = create(sink, {
    startUnixUs: 1_700_000_000_000_000,
    channelName: (channel) => (channel === 1 ? 'drive' : 'body'),
  });
  writer.write(batchOf(frames), 0, frames.length);
  writer.end();
  return sink.bytes();
};

const choose = (console: ConsolePage, ...files: readonly (readonly [string, Buffer])[]) =>
  console
    .by('trace-file')
    .setInputFiles(files.map(([name, buffer]) => ({ name, buffer, mimeType: '' })));

const textOf = async (download: Download): Promise<string> => {
  const pieces: Buffer[] = [];
  for await (const piece of await download.createReadStream()) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
};

/** Drops files on the page, as a file manager does. */
const drop = async ({ page }: ConsolePage, name: string, bytes: Buffer): Promise<void> => {
  const carried = await page.evaluateHandle(draggedFile, {
    name,
    content: bytes.toString('base64'),
  });
  await page.dispatchEvent('body', 'drop', { dataTransfer: carried });
};

describe.runIf(hasBrowser())('trace files in the console', () => {
  const freshConsole = reuseConsole();

  const openTrace = async (): Promise<ConsolePage> => {
    const console = await freshConsole();
    await console.open('trace');
    await console.says('trace-status', 'Live');
    return console;
  };

  const showsAndFilters = async (name: string, bytes: Buffer): Promise<void> => {
    const console = await openTrace();
    await choose(console, [name, bytes]);
    await console.says('trace-file-state', 'Read');
    await console.says('trace-rows', '3,000 rows');
    await console.says('trace-file-note', name);
    await console.frames('200').filter({ hasText: '00 00' }).first().waitFor();
    await console.by('trace-filter-id').fill('123');
    await console.says('trace-rows', '300 of 3,000 rows');
    await console.by('trace-filter-id').fill('');
    await console.by('trace-view').getByText('By ID').click();
    await console.says('trace-rows', '10 IDs');
    await console.frames('123').filter({ hasText: '300' }).waitFor();
    await console.frames('123').filter({ hasText: 'body' }).waitFor();
    await console.by('trace-source').getByText('Live').click();
    await console.says('trace-status', 'Live');
    await console.by('trace-source').getByText('File').click();
    await console.by('trace-file-close').click();
    await console.by('trace-source').waitFor({ state: 'detached' });
    expect(console.errors).toEqual([]);
  };

  const title = 'shows the frames of %s, filtered and by ID';
  it.each([['drive.mf4', written(createMf4)]])(title, showsAndFilters);
  itLong.each([
    ['drive.blf', written(createBlf)],
    ['drive.asc', written(createAsc)],
    ['drive.log.gz', gzipSync(written(createCandump))],
  ])(title, showsAndFilters);

  it('decodes frames with a database that is dropped into the window', async () => {
    const console = await openTrace();
    await drop(console, 'drive.blf', written(createBlf));
    await console.says('trace-file-state', 'Read');
    await drop(console, 'pump.dbc', Buffer.from(database));
    await console.frames('123').first().filter({ hasText: 'Pump' }).waitFor();
    await console.frames('123').first().click();
    const detail = console.by('trace-detail');
    await detail.getByRole('row', { name: /Pressure\s*1\.5\s*bar/ }).waitFor();
    await console.by('trace-filter-name').fill('pump');
    await console.says('trace-rows', '300 of 3,000 rows');
    await console.by('trace-filter-name').fill('');
    expect(console.errors).toEqual([]);
  });

  itLong('shows where a file is damaged, and why one cannot be read', async () => {
    const console = await openTrace();
    const lines = ['(1.000000) can0 001#01', '(2.000000) can0 002#0', '(3.000000) can0 003#03'];
    await choose(console, ['hurt.log', Buffer.from(`${lines.join('\n')}\n`)]);
    await console.says('trace-file-faults', '1 damaged part');
    await console.by('trace-table').locator('tr[data-row="gap"]:visible').waitFor();
    await choose(console, ['notes.log', Buffer.from('Hello')]);
    await console.says('trace-file-error', 'Unknown trace format');
    await console.says('trace-file-state', 'Not read');
    await choose(console, ['damaged.log.gz', Buffer.from('1f8b0800000000000003010203', 'hex')]);
    await console.says('trace-file-error', 'The gzip data is damaged');
    await choose(console, ['empty.asc', Buffer.from('')]);
    await console.says('trace-file-error', 'The file is empty');
    await choose(console, ['broken.ldf', Buffer.from('LIN_description_file;\nNodes {')]);
    await console.says('trace-database-error', 'broken.ldf');
    expect(console.errors).toEqual([]);
  });

  it('opens a file of the project directory, and uploads one into it under a free name', async () => {
    const console = await openTrace();
    mkdirSync(join(console.bench.project, 'drives'), { recursive: true });
    writeFileSync(join(console.bench.project, 'drives', 'first.mf4'), written(createMf4));
    console.watch.allow(404, /\/api\/v1\/files\//);
    await console.by('trace-from-project').click();
    await console.by('trace-project-file').fill('drives/none.mf4');
    await console.by('trace-project-open').click();
    await console.says('trace-project-error', 'file_not_found');
    await console.by('trace-project-file').fill('drives/first.mf4');
    await console.by('trace-project-open').click();
    await console.says('trace-rows', '3,000 rows');
    await console.says('trace-file-note', 'first.mf4');
    await console.by('trace-file-upload').waitFor({ state: 'detached' });
    console.watch.allow(409, /\/api\/v1\/files\//);
    const bytes = written(createBlf);
    await choose(console, ['drive.blf', bytes]);
    await console.by('trace-file-upload').click();
    await console.by('trace-file-upload').waitFor({ state: 'detached' });
    expect(readFileSync(join(console.bench.project, 'drive.blf')).equals(bytes)).toBe(true);
    await choose(console, ['drive.blf', bytes]);
    await console.by('trace-file-upload').click();
    await console.says('trace-upload-error', 'already_exists');
    expect(console.errors).toEqual([]);
  });

  itLong('keeps the rows of a file that is changed later, which it cannot upload', async () => {
    const console = await openTrace();
    const path = join(console.bench.project, 'changed.blf');
    writeFileSync(path, written(createBlf));
    await console.by('trace-file').setInputFiles(path);
    await console.says('trace-rows', '3,000 rows');
    writeFileSync(path, 'other');
    await console.by('trace-find').fill('frame 123 data D307');
    await console.by('trace-find-next').click();
    await console.says('trace-find-outcome', '1 of 1 row');
    await console.by('trace-file-upload').click();
    await console.says('trace-upload-error', 'The file was changed or removed');
    await console.says('trace-upload-error', 'choose it again');
    expect(console.errors).toEqual([]);
  });

  it('shows a note with markup as text', async () => {
    const console = await openTrace();
    await choose(console, ['drive.blf', written(createBlf)]);
    await console.says('trace-rows', '3,000 rows');
    const note = '<img src=x onerror=alert(1)><b>bold</b>';
    await console.frames('123').first().click();
    await console.by('trace-mark').click();
    await console.by('trace-note').fill(note);
    await console.by('trace-note-save').click();
    await console.frames('123').first().getByText(note).waitFor();
    await expect(console.page.locator('img[src="x"]').count()).resolves.toBe(0);
    await console.by('trace-file-close').click();
    expect(console.errors).toEqual([]);
  });

  itLong('plots signals of the file next to live ones, with one time axis', async () => {
    const console = await openTrace();
    await console.loadDatabase();
    await choose(console, ['drive.blf', written(createBlf)], ['pump.dbc', Buffer.from(database)]);
    await console.says('trace-file-state', 'Read');
    await console.frames('123').first().filter({ hasText: 'Pump' }).waitFor();
    await console.page.goto(`http://${console.listen}/#signals`);
    await console.by('signal-channel').selectOption({ label: 'drive.blf body' });
    await console.by('signal-search').fill('pressure');
    await console.page.locator('[data-kind="signal"][data-name="Pressure"]').click();
    const row = console.page.locator('tr[data-signal="Pressure"]');
    await console.cellSays('data-signal="Pressure"', 'value', '1496.5');
    await console.cellSays('data-signal="Pressure"', 'unit', 'bar');
    await console.by('signal-channel').selectOption('SIM00001/1');
    await console.by('signal-search').fill('speed');
    await console.page.locator('[data-kind="signal"][data-name="Speed"]').click();
    await console.page.locator('tr[data-signal="Speed"]').waitFor();
    await console.send('100#4006030000000000');
    await console.cellSays('data-signal="Speed"', 'value', '400');
    await console.by('signals-file-times').getByText('Aligned').click();
    await console.page.goto(`http://${console.listen}/#trace`);
    await console.by('trace-file-close').click();
    await console.page.goto(`http://${console.listen}/#signals`);
    await console.page.locator('tr[data-signal="Speed"]').waitFor();
    await row.waitFor({ state: 'detached' });
    expect(console.errors).toEqual([]);
  });

  itLong('finds rows of the file by a condition, and notes travel with an export', async () => {
    const console = await openTrace();
    await choose(console, ['drive.blf', written(createBlf)], ['pump.dbc', Buffer.from(database)]);
    await console.says('trace-rows', '3,000 rows');
    await console.frames('123').first().filter({ hasText: 'Pump' }).waitFor();
    await console.by('trace-find').fill('signal Pump.Pressure > 1000');
    await console.by('trace-find-next').click();
    await console.says('trace-find-outcome', '1 of 1 row');
    await console.says('trace-selected', '1 row selected');
    await console.by('trace-signals-toggle').click();
    await console.page
      .locator('tr[data-row="signal"]:visible', { hasText: '1001.5 bar' })
      .waitFor();
    await console.by('trace-mark').click();
    await console.by('trace-note').fill('pressure too high');
    await console.by('trace-note-save').click();
    await console.says('trace-notes', '1 note');
    await console.by('trace-export-format').selectOption('csv');
    const [download] = await Promise.all([
      console.page.waitForEvent('download'),
      console.by('trace-export').click(),
    ]);
    const noted = (await textOf(download)).split('\r\n').filter((line) => line.endsWith('high'));
    expect(noted).toHaveLength(1);
    expect(noted[0]).toContain('body,Rx,123,Pump,CAN,2,2,D3 07');
    // The notes and the selection of the file are not those of the stream.
    await console.by('trace-source').getByText('Live').click();
    await console.by('trace-notes').waitFor({ state: 'detached' });
    await console.by('trace-source').getByText('File').click();
    await console.says('trace-notes', '1 note');
    await console.says('trace-selected', 'No row selected');
    await console.by('trace-find-next').click();
    await console.says('trace-selected', '1 row selected');
    await console.by('trace-file-close').click();
    await console.says('trace-selected', 'No row selected');
    await console.by('trace-find-select').waitFor({ state: 'detached' });
    expect(console.errors).toEqual([]);
  });

  it('shows statistics of the file, and which bits change from a row on', async () => {
    const console = await openTrace();
    await choose(console, ['drive.blf', written(createBlf)]);
    await console.says('trace-rows', '3,000 rows');
    await console.by('trace-find').fill('frame 123 data D307');
    await console.by('trace-find-next').click();
    await console.says('trace-selected', '1 row selected');
    await console.by('trace-view').getByText('By ID').click();
    await console.by('trace-by-id-view').getByText('Statistics').click();
    await console.page.locator('tr[data-id="123"]', { hasText: '10.0 ms' }).waitFor();
    await console.by('trace-by-id-view').getByText('Changes').click();
    await console.says('changes-since', 'No mark');
    await console.by('changes-mark').click();
    await console.says('changes-since', 'Changes since');
    await console.page.locator('tr[data-id="123"]', { hasText: '100' }).waitFor();
    await console.by('changes-unmark').click();
    await console.says('changes-since', 'No mark');
    expect(console.errors).toEqual([]);
  });

  /** What a new user does with a log in which a checksum is wrong now and then. */
  const findEvidence = async (seconds: number): Promise<void> => {
    const corruptAtS = [11, 40, 41, 73, 90].map(
      (percent) => Math.round((percent * seconds) / 10) / 10,
    );
    const console = await openTrace();
    await drop(console, 'drive.blf', driveLog({ seconds, corruptAtS }));
    await console
      .by('trace-file-state')
      .and(console.page.locator('[data-state="present"]'))
      .waitFor();
    await console.by('trace-find-checksums').click();
    await console.says('trace-find-outcome', '1 of 5 rows');
    await console.says('trace-find-rules', '1 ID with CRC-8');
    await console.by('trace-find-select').click();
    await console.says('trace-selected', '5 rows selected');
    await console.by('trace-mark').click();
    await console.by('trace-note').fill('wrong checksum');
    await console.by('trace-note-save').click();
    await console.says('trace-notes', '5 notes');
    await console.by('trace-filter-selected').click();
    await console.says('trace-rows', `${(50 * seconds).toLocaleString('en-US')} of`);
    await console.page.locator('tr[aria-selected="true"]:visible', { hasText: '420' }).waitFor();
    await console.by('trace-export-format').selectOption('asc');
    const [download] = await Promise.all([
      console.page.waitForEvent('download'),
      console.by('trace-export').click(),
    ]);
    await console.says('trace-exported', '5 of 5 notes written');
    const lines = (await textOf(download)).split('\n');
    expect(lines.filter((line) => line.includes(' 420 '))).toHaveLength(50 * seconds);
    const noted = lines.flatMap((line, at) =>
      line.includes('wrong checksum') ? [Number(lines[at + 1]?.trim().split(/\s+/)[0])] : [],
    );
    // The next frame of the message is at most 20 ms later.
    expect(noted.map((at) => Math.floor(at * 10))).toEqual(
      corruptAtS.map((at) => Math.round(at * 10)),
    );
    await console.by('trace-filter-id').fill('');
    expect(console.errors).toEqual([]);
  };

  it('finds the frames with a wrong checksum, and exports them with notes', () => findEvidence(20));

  itLong('finds them in a log of ten minutes', () => findEvidence(600));

  itLong('saves the filtered rows of the file in another format', async () => {
    const console = await openTrace();
    await choose(console, ['drive.blf', written(createBlf)]);
    await console.says('trace-file-state', 'Read');
    await console.by('trace-filter-id').fill('123');
    await console.says('trace-rows', '300 of 3,000 rows');
    await console.by('trace-export-format').selectOption('candump');
    const [download] = await Promise.all([
      console.page.waitForEvent('download'),
      console.by('trace-export').click(),
    ]);
    const saved = (await textOf(download)).trimEnd().split('\n');
    expect(saved).toHaveLength(300);
    expect(saved[0]).toBe('(1700000000.003000) body@2 123#0300');
    await console.by('trace-filter-id').fill('');
    expect(console.errors).toEqual([]);
  });
});
