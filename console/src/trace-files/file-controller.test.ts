import { describe, expect, it } from 'vitest';
import { createBlf } from '../../../src/trace/blf/create-blf.ts';
import { createMf4 } from '../../../src/trace/mf4/create-mf4.ts';
import { FileSink } from '../../../src/trace/testing/memory-bytes.ts';
import { batchOf } from '../../../src/trace/testing/trace-events.ts';
import type { CreateTrace } from '../../../src/trace/trace-format.ts';
import { emptyFilter, type FilterText, parseFilter } from '../trace-core/frame-filter.ts';
import { type FrameRow, RowWindow, rowBytes } from '../trace-core/frame-row.ts';
import { gapRemarkOf, idText } from '../trace-core/frame-text.ts';
import type { WindowAnswer, WindowRequest } from '../trace-core/row-windows.ts';
import { FileController } from './file-controller.ts';
import type { FileAnswer, FileRequest, FileStatus } from './file-messages.ts';

/** Answers of a controller whose clock advances with each reading. */
class OpenedFile {
  readonly answers: FileAnswer[] = [];
  readonly #controller: FileController;
  readonly #due: (() => void)[] = [];

  constructor(bytes: Uint8Array) {
    let nowMs = 0;
    const advance = (): number => {
      nowMs += 10;
      return nowMs;
    };
    this.#controller = new FileController({
      post: (answer) => void this.answers.push(answer),
      bytesOf: () => (from, to) => bytes.subarray(from, to),
      now: advance,
      later: (run) => void this.#due.push(run),
    });
  }

  ask(asked: FileRequest): void {
    this.#controller.take(asked);
  }

  get status(): FileStatus {
    const found = this.answers.findLast((answer) => answer.type === 'status');
    if (!found) throw new Error('No status');
    return found.status;
  }

  /** Runs one slice of the work. */
  async step(): Promise<void> {
    for (const run of this.#due.splice(0)) run();
    await new Promise(setImmediate);
  }

  async isRead(): Promise<FileStatus> {
    while (this.status.state === 'reading' || this.status.isFiltering || this.#due.length > 0) {
      await this.step();
    }
    return this.status;
  }

  async rows(request: Partial<WindowRequest> = {}): Promise<FrameRow[]> {
    const asked = { view: 'frames', rows: 20, place: { at: 'index', index: 0 }, selected: null };
    this.ask({
      ...{ type: 'window', number: 1, isImmediate: true, buffer: new ArrayBuffer(32 * rowBytes) },
      request: { ...asked, ...request } as WindowRequest,
    });
    const answer = this.answers.findLast((each): each is WindowAnswer => each.type === 'window');
    return answer ? new RowWindow(answer.buffer, answer.facts.rows).all() : [];
  }

  filter(text: Partial<FilterText>): void {
    const parsed = parseFilter({ ...emptyFilter, ...text }, []);
    if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
    this.ask({ type: 'filter', filter: parsed.filter });
  }
}

const open = async (bytes: Uint8Array, name = 'drive'): Promise<OpenedFile> => {
  const opened = new OpenedFile(bytes);
  const file = {
    size: bytes.length,
    slice: (from: number, to: number) => new Blob([bytes.slice(from, to)]),
  };
  opened.ask({ type: 'open', name, file: file as Blob });
  while (opened.status.format === null && opened.status.state === 'reading') await opened.step();
  return opened;
};

/** Asks, and runs the work until the answer. */
const answerOf = async <Type extends FileAnswer['type']>(
  file: OpenedFile,
  asked: FileRequest,
  type: Type,
): Promise<Extract<FileAnswer, { type: Type }>> => {
  const before = file.answers.length;
  file.ask(asked);
  for (;;) {
    const found = file.answers.slice(before).find((answer) => answer.type === type);
    if (found) return found as Extract<FileAnswer, { type: Type }>;
    await file.step();
    await new Promise((done) => setTimeout(done));
  }
};

const text = (lines: readonly string[]): Uint8Array =>
  new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''));

const frames = Array.from({ length: 10 }, (_, at) => ({
  ...{ timeNs: at * 1_500_000, channel: 1 + (at % 2), kind: 1 + (at % 2), bus: 1, flags: 0 },
  ...{ id: 0x100 + at, dlc: 2, checksum: 0, data: [at, 255 - at] },
}));

const written = (create: CreateTrace): Uint8Array => {
  const sink = new FileSink();
  const writer = create(sink, {
    startUnixUs: 1_700_000_000_000_000,
    channelName: (channel) => (channel === 1 ? 'powertrain' : null),
  });
  writer.write(batchOf(frames), 0, frames.length);
  writer.end();
  return sink.bytes();
};

describe('a trace file in the console', () => {
  it.each([
    ['blf', createBlf],
    ['mf4', createMf4],
  ] as const)('shows the frames of a %s file', async (format, create) => {
    const file = await open(written(create));
    const status = await file.isRead();
    expect(status).toMatchObject({ state: 'ready', format, rows: 10, hasDate: true });
    expect(status.channels).toEqual([
      { key: 1, bus: 'can', number: 1, name: 'powertrain' },
      { key: 2, bus: 'can', number: 2, name: null },
    ]);
    const rows = await file.rows();
    expect(rows.map(({ id }) => id)).toEqual(frames.map(({ id }) => id));
    expect(rows[3]).toMatchObject({ serial: 3, timestampUs: 1_700_000_000_004_500, channel: 1 });
    expect([...(rows[3]?.data ?? [])]).toEqual([3, 252]);
  });

  const long = text(
    Array.from(
      { length: 70_000 },
      (_, at) =>
        `(${1000 + at}.000000) can${at % 3} ${(at % 7).toString().padStart(3, '0')}#${(at % 256).toString(16).padStart(2, '0')}`,
    ),
  );

  it('shows a window anywhere in a file of several chunks', async () => {
    const file = await open(long);
    expect(await file.isRead()).toMatchObject({ rows: 70_000, format: 'candump' });
    const [row] = await file.rows({ place: { at: 'index', index: 65_536 } });
    expect(row).toMatchObject({ serial: 65_536, timestampUs: 66_536e6, previousUs: 66_535e6 });
    const last = await file.rows({ place: { at: 'end' } });
    expect(last.at(-1)?.serial).toBe(69_999);
    const [shown] = await file.rows({ place: { at: 'serial', serial: 66_000, shift: -2 } });
    expect(shown?.serial).toBe(65_998);
  });

  it('filters all rows, those read later as well, and finds a row among the others', async () => {
    const file = await open(long);
    file.filter({ id: '003', data: '11' });
    await file.isRead();
    const rows = await file.rows();
    expect(rows[0]).toMatchObject({ serial: 17, id: 3 });
    expect(new Set(rows.map(({ data }) => data[0]))).toEqual(new Set([0x11]));
    const [next] = await file.rows({ rows: 1, place: { at: 'serial', serial: 60_000, shift: 0 } });
    expect(next?.serial).toBeGreaterThanOrEqual(60_000);
    file.filter({});
    await file.isRead();
    expect((await file.rows())[1]?.serial).toBe(1);
  });

  it('lists the last frame of each ID with its count and cycle time', async () => {
    const file = await open(long);
    await file.isRead();
    const rows = await file.rows({ view: 'by-id' });
    expect(
      rows.slice(0, 2).map((row) => [row.channel, idText(row), row.count, row.cycleUs]),
    ).toEqual([
      [0, '000', 3334, 21e6],
      [0, '001', 3333, 21e6],
    ]);
    expect(rows).toHaveLength(20);
  });

  it('marks missing events and damaged lines in their rows', async () => {
    const file = await open(
      text([
        '(1.000000) can0 001#01',
        '# 12 events are missing here',
        '(2.000000) can0 002#02',
        '(3.000000) can0 003#0',
        '(4.000000) can0 004#04',
      ]),
    );
    const status = await file.isRead();
    expect(status).toMatchObject({ gaps: 1, missed: 12, malformed: 1, rows: 5 });
    const rows = await file.rows();
    expect(rows.map(({ kind }) => kind)).toEqual([1, 0, 1, 0, 1]);
    expect(gapRemarkOf(rows[1]?.sequence ?? 0)).toBe('12 events are missing here');
    expect([...status.reasons]).toEqual([[3, expect.stringMatching(/data|frame|digit/i)]]);
  });

  it('stops on request and shows what it has read', async () => {
    const file = await open(long);
    file.ask({ type: 'stop' });
    const status = await file.isRead();
    expect(status.state).toBe('stopped');
    expect(status.rows).toBeLessThan(70_000);
    expect(await file.rows({ place: { at: 'end' } })).toHaveLength(Math.min(20, status.rows));
  });

  it('reports why a file cannot be read', async () => {
    const file = await open(text(['Hello']));
    const { state, error } = await file.isRead();
    expect({ state, error }).toEqual({
      state: 'failed',
      error: { code: 'invalid_trace', message: 'Unknown trace format', retryable: false },
    });
  });

  it('saves the filtered rows as a file', async () => {
    const file = await open(long);
    await file.isRead();
    file.filter({ id: '002' });
    await file.isRead();
    const { saved } = await answerOf(file, { type: 'export', format: 'csv', notes: [] }, 'export');
    expect(saved).toMatchObject({ written: 10_000 });
  });

  it('finds the rows of a condition in all chunks, those that the filter hides as well', async () => {
    const file = await open(long);
    await file.isRead();
    const find = async (condition: string, from: number | null, by: 1 | -1) => {
      const asked = { type: 'search', text: condition, from, by } as const;
      return (await answerOf(file, asked, 'searched')).result;
    };
    expect(await find('frame 003 data 11', 0, 1)).toMatchObject({ serial: 17, number: 1 });
    const { count, serial } = await find('frame 003 data 11', null, -1);
    expect(serial).toBeGreaterThan(65_536);
    file.filter({ data: '12' });
    await file.isRead();
    expect(await find('frame 003 data 11', null, 1)).toMatchObject({ count: 0, hidden: count });
  });

  it('returns the rows from one to another, and statistics by ID', async () => {
    const file = await open(long);
    await file.isRead();
    const span = { from: 65_530, to: 65_540 };
    const rows = await answerOf(file, { type: 'rows', number: 1, view: 'frames', span }, 'rows');
    expect(new RowWindow(rows.buffer, rows.rows).all().map(({ serial }) => serial)).toEqual(
      Array.from({ length: 11 }, (_, at) => 65_530 + at),
    );
    const { report } = await answerOf(file, { type: 'statistics' }, 'statistics');
    expect(report.ids[0]).toMatchObject({ id: 0, count: 3334, cycle: { minUs: 21e6 } });
  });

  it('counts changes from a row on, and again from the start', async () => {
    const file = await open(long);
    await file.isRead();
    const frames = async () => {
      const asked = { type: 'changes', selected: null } as const;
      const { report } = await answerOf(file, asked, 'changes');
      return report.ids.reduce((sum, { framesSinceMark }) => sum + framesSinceMark, 0);
    };
    expect(await frames()).toBe(70_000);
    file.ask({ type: 'mark', serial: 69_000 });
    await file.isRead();
    expect(await frames()).toBe(1000);
    file.ask({ type: 'unmark' });
    expect(await frames()).toBe(70_000);
  });

  it('writes notes at their rows', async () => {
    const file = await open(long);
    await file.isRead();
    const note = { eventId: 3, timestampUs: 1002e6, text: 'here' };
    const asked = { type: 'export', format: 'csv', notes: [note] } as const;
    const { saved } = await answerOf(file, asked, 'export');
    expect(saved).toMatchObject({ written: 70_000, notes: 1 });
  });

  it('reads a database that is dropped with it', async () => {
    const opened = new OpenedFile(new Uint8Array());
    const dbc =
      'VERSION ""\nBU_: A\nBO_ 256 Engine: 8 A\n SG_ Speed : 0|16@1+ (0.25,0) [0|8000] "rpm" A\n';
    opened.ask({ type: 'database', name: 'car.dbc', file: new Blob([dbc]) });
    while (opened.answers.length === 0) await opened.step();
    expect(opened.answers).toMatchObject([
      {
        error: null,
        content: { name: 'car.dbc', type: 'dbc', message_page: [{ name: 'Engine', id: 256 }] },
      },
    ]);
  });
});
