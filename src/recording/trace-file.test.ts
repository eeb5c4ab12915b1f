import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileSandbox } from '../base/files/testing/file-sandbox.ts';
import { cases } from '../base/testing/long.ts';
import { busCode, eventKindCode, frameFlag } from '../frame/frm2-layout.ts';
import { createAsc } from '../trace/asc/asc-writer.ts';
import { createMf4 } from '../trace/mf4/create-mf4.ts';
import { TraceBatch } from '../trace/trace-batch.ts';
import type { CreateTrace } from '../trace/trace-format.ts';
import { RecordingFile } from './recording-file.ts';
import { LimitedDisk } from './testing/limited-disk.ts';
import { readRecording } from './testing/read-recording.ts';
import { TraceFile } from './trace-file.ts';

const unlimited = 1_000_000;
const tail = 'End TriggerBlock\n';

/** Extended CAN frames on two channels, of all lengths, with increasing ids. */
const batchOf = (firstId: number, count: number): TraceBatch => {
  const batch = new TraceBatch(count);
  for (let row = 0; row < count; row++) {
    batch.timeNs[row] = (firstId + row) * 1_000_000;
    batch.id[row] = firstId + row;
    batch.flags[row] = frameFlag.extended;
    batch.channel[row] = 1 + (row % 2);
    batch.kind[row] = eventKindCode.rx_frame;
    batch.bus[row] = busCode.can;
    batch.dlc[row] = (firstId + row) % 9;
    batch.length[row] = (firstId + row) % 9;
  }
  batch.count = count;
  return batch;
};

describe('TraceFile', () => {
  let files: FileSandbox;
  beforeAll(() => {
    files = new FileSandbox();
  });
  afterAll(() => files.dispose());

  const record = (disk: LimitedDisk, create: CreateTrace = createAsc) => {
    const options = { projectRoot: files.project, file: 'drive.asc', overwrite: true };
    const file = RecordingFile.open(options, disk);
    const trace = new TraceFile(file, create, {
      startUnixUs: 1_700_000_000_000_000,
      channelName: (channel) => `SIM00001/${channel - 1}`,
    });
    const write = (batch: TraceBatch): boolean => {
      trace.encode(batch, 0, batch.count);
      return trace.store();
    };
    const note = (text: string): boolean => {
      trace.note(4_000_000, text);
      return trace.store();
    };
    const isDone =
      trace.begin() &&
      write(batchOf(0, 5)) &&
      note('7 events are missing here') &&
      write(batchOf(12, 6)) &&
      trace.end();
    if (!isDone) trace.complete();
    file.close();
    const found = readRecording(file.path);
    return { isDone, trace, file, found };
  };

  it('writes events, remarks and the end', () => {
    const { isDone, trace, file, found } = record(new LimitedDisk(unlimited));
    expect(isDone).toBe(true);
    expect(trace.failure).toBeNull();
    expect(trace.frames).toBe(11);
    expect(file.size).toBe(found.text.length);
    expect(found.ids).toEqual([0, 1, 2, 3, 4, 12, 13, 14, 15, 16, 17]);
    expect(found.missing).toEqual([7]);
    expect(found).toMatchObject({
      channels: [1, 2],
      malformed: 0,
      endsInLine: false,
      isComplete: true,
    });
  });

  describe('on a disk that is full, at whatever byte behind the header', () => {
    const recordEverywhere = () => {
      const whole = record(new LimitedDisk(unlimited)).found;
      const header = whole.text.indexOf('// channel 1');
      const step = cases(9, 1);
      const count = Math.ceil((whole.text.length - header) / step);
      return Array.from({ length: count }, (_, at) => ({
        room: header + at * step,
        header,
        whole,
        ...record(new LimitedDisk(header + at * step)),
      }));
    };
    let outcomes: ReturnType<typeof recordEverywhere>;
    beforeAll(() => {
      outcomes = recordEverywhere();
    });

    it('leaves whole lines that can be read, and counts the events in them', () => {
      for (const { room, whole, isDone, trace, file, found } of outcomes) {
        expect(isDone, `${room}`).toBe(false);
        expect(trace.failure, `${room}`).toBe('no_space');
        expect(found.text.length, `${room}`).toBeLessThanOrEqual(room);
        expect(file.size, `${room}`).toBe(found.text.length);
        expect(found, `${room}`).toMatchObject({ malformed: 0, endsInLine: false });
        expect(found.ids, `${room}`).toEqual(whole.ids.slice(0, trace.frames));
      }
    });

    it('completes the file, unless there is nothing that could give way to its end', () => {
      for (const { room, header, found } of outcomes) {
        expect(found.isComplete, `${room}`).toBe(room >= header + tail.length);
      }
    });

    it('fits in as many events as there is room for', () => {
      const max = 120;
      for (const { room, found } of outcomes) {
        if (found.isComplete) expect(room - found.text.length, `${room}`).toBeLessThan(max);
      }
    });
  });

  it('leaves an MF4 file of whole records on a disk that is full, at whatever byte', () => {
    const whole = record(new LimitedDisk(unlimited), createMf4).found;
    expect(whole).toMatchObject({ missed: 7, malformed: 0, gaps: 1 });
    const head = whole.text.indexOf('##DT');
    const step = cases(61, 1);
    for (let room = head + 24; room < whole.text.length; room += step) {
      const { isDone, trace, found } = record(new LimitedDisk(room), createMf4);
      expect(isDone, `${room}`).toBe(false);
      expect(found, `${room}`).toMatchObject({ malformed: 0 });
      expect(found.ids, `${room}`).toEqual(whole.ids.slice(0, trace.frames));
    }
  });

  it('can be told from a file without room for its header', () => {
    const options = { projectRoot: files.project, file: 'drive.asc', overwrite: true };
    const file = RecordingFile.open(options, new LimitedDisk(20));
    const trace = new TraceFile(file, createAsc, { startUnixUs: 0, channelName: String });
    expect(trace.begin()).toBe(false);
    expect(trace.failure).toBe('no_space');
    expect(file.size).toBe(0);
    file.close();
  });

  it('leaves what it wrote before when the device fails altogether', () => {
    const disk = new LimitedDisk(unlimited);
    const options = { projectRoot: files.project, file: 'drive.asc', overwrite: true };
    const file = RecordingFile.open(options, disk);
    const trace = new TraceFile(file, createAsc, { startUnixUs: 0, channelName: String });
    trace.begin();
    trace.encode(batchOf(0, 5), 0, 5);
    trace.store();
    disk.isBroken = true;
    disk.code = 'EIO';
    trace.encode(batchOf(5, 5), 0, 5);
    expect(trace.store()).toBe(false);
    trace.complete();
    expect(trace.failure).toBe('io_error');
    expect(trace.frames).toBe(5);
    file.close();
    expect(readRecording(file.path)).toMatchObject({ ids: [0, 1, 2, 3, 4], endsInLine: false });
  });

  it('tries with less where room that was there is gone', () => {
    const disk = new LimitedDisk(900);
    const write = disk.write.bind(disk);
    let calls = 0;
    disk.write = (...values) => {
      calls += 1;
      if (calls > 3) disk.room = Math.max(disk.room - 40, 0);
      return write(...values);
    };
    const { isDone, trace, found } = record(disk);
    expect(isDone).toBe(false);
    expect(found).toMatchObject({ malformed: 0, endsInLine: false });
    expect(found.ids).toHaveLength(trace.frames);
  });

  it('hands each piece over as one write', () => {
    const disk = new LimitedDisk(unlimited);
    const write = disk.write.bind(disk);
    let writes = 0;
    disk.write = (...values) => {
      writes += 1;
      return write(...values);
    };
    const inBits: CreateTrace = (sink, options) =>
      createAsc(
        { write: (bytes) => bytes.forEach((_, at) => void sink.write(bytes.subarray(at, at + 1))) },
        options,
      );
    expect(record(disk, inBits).found.isComplete).toBe(true);
    expect(writes).toBe(5);
  });
});
