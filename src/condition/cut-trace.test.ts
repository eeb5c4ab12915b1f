import { describe, expect, it } from 'vitest';
import { cases } from '../base/testing/long.ts';
import { seededRandom } from '../base/testing/seeded-random.ts';
import { eventAt, putEvent, type TraceEvent } from '../trace/testing/trace-events.ts';
import { TraceBatch } from '../trace/trace-batch.ts';
import type { TraceReader, TraceWriter } from '../trace/trace-format.ts';
import { type CutResult, cutTrace } from './cut-trace.ts';
import { runOf, type StoryEvent, storyOf } from './testing/story.ts';

/** Events of a story as a trace in batches of a few rows. Gaps have a number of lost events. */
class StoryReader implements TraceReader {
  readonly format = 'asc';
  readonly startUnixUs = null;
  readonly account = {
    ...{ events: 0, skipped: {}, malformed: 0, errors: [] },
    ...{ gaps: 0, missed: 0, truncated: false },
  };
  readonly #story: readonly StoryEvent[];
  readonly #perBatch: number;
  position = 0;

  constructor(story: readonly StoryEvent[], perBatch: number) {
    this.#story = story;
    this.#perBatch = perBatch;
  }

  read(batch: TraceBatch): boolean {
    batch.clear();
    const end = Math.min(this.position + this.#perBatch, this.#story.length);
    for (; this.position < end; this.position++) {
      const { ms, event } = this.#story[this.position] as StoryEvent;
      if (event === 'gap') batch.addGap(ms * 1e6, 3);
      else if (event !== 'wait') putEvent(batch, event);
    }
    return this.position < this.#story.length;
  }
}

/** What was written: milliseconds of events, and remarks. */
class PaperWriter implements TraceWriter {
  readonly lines: (number | string)[] = [];
  isEnded = false;

  write(batch: TraceBatch, from: number, to: number): void {
    for (let row = from; row < to; row++) this.lines.push((batch.timeNs[row] as number) / 1e6);
  }

  note(timeNs: number, text: string): void {
    this.lines.push(`${timeNs / 1e6}: ${text}`);
  }

  end(): void {
    this.isEnded = true;
  }
}

interface Cut extends CutResult {
  readonly lines: readonly (number | string)[];
}

const cut = async (
  text: string,
  story: readonly StoryEvent[],
  [beforeMs, afterMs]: readonly [number, number],
  { perBatch = 3, marksCuts = true, grown = 0 } = {},
): Promise<Cut> => {
  const writer = new PaperWriter();
  const known = story.slice(0, story.length - grown);
  const result = await cutTrace({
    ahead: new StoryReader(known, perBatch),
    reader: new StoryReader(story, perBatch + 1),
    writer,
    run: runOf(text),
    marksCuts,
    beforeNs: beforeMs * 1e6,
    afterNs: afterMs * 1e6,
  });
  expect(writer.isEnded).toBe(true);
  return { ...result, lines: writer.lines };
};

const every = (ms: number, count: number, frame: string): string =>
  Array.from({ length: count }, (_, index) => `${index * ms} ${frame}`).join(', ');

describe('A cut of a trace', () => {
  it('has the events before and after those at which the condition fires', async () => {
    const story = storyOf(
      `${every(10, 10, '100#')}, 95 123#, ${every(10, 0, '')} 96 100#, 200 100#`,
    );
    const { lines, ...counts } = await cut('frame 123', story, [20, 1]);
    expect(lines).toEqual([80, 90, 95, 96]);
    expect(counts).toMatchObject({ read: 13, fired: 1, excerpts: 1, written: 4, cut: 9 });
  });

  it('joins parts that overlap, and marks what is missing between others', async () => {
    const story = storyOf(
      '0 1/100#, 10 123#, 15 100#, 20 123#, 50 100#, 60 100#, 70 123#, 90 100#, 95 100#',
    );
    const { lines, fired, excerpts } = await cut('frame 123', story, [5, 5]);
    expect(lines).toEqual([10, 15, 20, '70: 2 events are missing here', 70]);
    expect([fired, excerpts]).toEqual([3, 2]);
    const unmarked = await cut('frame 123', story, [5, 5], { marksCuts: false });
    expect(unmarked.lines).toEqual([10, 15, 20, 70]);
    expect((await cut('frame 123', story, [0, 0])).lines).toHaveLength(5);
  });

  it('has a state from when it becomes true until it no longer is', async () => {
    const story = storyOf('0 124#, 90 124#, 110 124#, 500 124#, 550 100#, 600 123#, 690 100#');
    const silent = await cut('silence 123 100ms', [...storyOf('0 123#'), ...story], [10, 50]);
    expect(silent.lines).toEqual([90, 110, 500, 550, 600]);
    expect(silent.fired).toBe(1);
    // It ends between two events.
    const active = await cut('not silence 123 100ms', [...storyOf('0 123#'), ...story], [10, 15]);
    expect(active.lines).toEqual([
      ...[0, 0, 90, 110],
      '600: 2 events are missing here',
      ...[600, 690],
    ]);
  });

  it('has the first events of a state that holds from the start, and then marks nothing', async () => {
    const result = await cut('not silence 123 1s', storyOf('0 100#, 5 100#, 9 100#'), [0, 0]);
    expect(result.lines).toEqual([0, 5, 9]);
    expect(result.fired).toBe(0);
  });

  it('keeps the remarks of the input about missing events, and counts them with its own', async () => {
    const story = storyOf('0 123#, 1 gap, 2 100#, 3 gap, 20 100#, 30 123#, 31 gap');
    const { lines } = await cut('frame 123', story, [1, 5]);
    expect(lines).toEqual([
      ...[0, '2: 3 events are missing here', 2],
      ...['30: 4 events are missing here', 30],
      '31: 3 events are missing here',
    ]);
    const late = await cut('frame 123', storyOf('0 100#, 1 gap, 2 100#, 50 123#'), [5, 0]);
    expect(late.lines).toEqual([50]);
  });

  it('begins again where the clock was set back, and reads events that are late as of now', async () => {
    const story = storyOf('9000 100#, 9010 123#, 9011 100#, 50 100#, 60 100#, 70 123#, 90 100#');
    const result = await cut('frame 123', story, [15, 10_000]);
    expect(result.lines).toEqual([9000, 9010, 9011, '60: 1 events are missing here', 60, 70, 90]);
    const late = storyOf('0 100#, 100 123#, 20 100#, 101 100#, 130 100#, 40 100#');
    expect((await cut('frame 123', late, [10, 10])).lines).toEqual([100, 20, 101]);
  });

  it('ends where the file ended when it was first read', async () => {
    const story = storyOf('0 123#, 1 100#, 2 123#, 3 123#');
    const result = await cut('frame 123', story, [10, 10], { grown: 2 });
    expect(result).toMatchObject({ lines: [0, 1], read: 2, fired: 1 });
  });

  it('has nothing where the condition is never true', async () => {
    const result = await cut('error', storyOf('0 123#, 5 gap, 9 123#'), [1000, 1000]);
    expect(result).toMatchObject({ lines: [], read: 2, fired: 0, excerpts: 0, written: 0, cut: 2 });
    expect((await cut('error', [], [0, 0])).read).toBe(0);
  });
});

/** The same from the whole list: an event is kept if an event that fires is near it. */
const keptOf = (events: readonly TraceEvent[], beforeMs: number, afterMs: number): number[] => {
  const fired = events.filter(({ id }) => id === 0x123).map(({ timeNs }) => timeNs);
  return events.flatMap(({ timeNs }) =>
    fired.some((ns) => timeNs >= ns - beforeMs * 1e6 && timeNs <= ns + afterMs * 1e6)
      ? [timeNs / 1e6]
      : [],
  );
};

describe('Random cuts', () => {
  it('have exactly the events near those that fire, whatever the sizes of batches', async () => {
    let kept = 0;
    for (let seed = 1; seed <= cases(100, 1000); seed++) {
      const random = seededRandom(seed);
      const below = (end: number): number => Math.floor(random() * end);
      let ms = 0;
      const story = storyOf(
        Array.from({ length: below(60) }, () => {
          ms += below(8) * below(8);
          return `${ms} ${random() < 0.15 ? '123#' : '100#'}`;
        }).join(', '),
      );
      const events = story.map(({ event }) => event as TraceEvent);
      const [before, after] = [below(60), below(60)];
      const { lines } = await cut('frame 123', story, [before, after], { perBatch: 1 + below(9) });
      const times = lines.filter((line) => typeof line === 'number');
      expect({ seed, times }).toEqual({ seed, times: keptOf(events, before, after) });
      kept += times.length;
    }
    expect(kept).toBeGreaterThan(1000);
  });
});

describe('The events of a cut', () => {
  it('are those of the input, unchanged', async () => {
    const story = storyOf('0 18FEF100#0102030405060708090A, 1 123#AB');
    const batch = new TraceBatch(8);
    const writer: TraceWriter = {
      write(from, first, end) {
        for (let row = first; row < end; row++) putEvent(batch, eventAt(from, row));
      },
      note: () => undefined,
      end: () => undefined,
    };
    await cutTrace({
      ...{ ahead: new StoryReader(story, 8), reader: new StoryReader(story, 8), writer },
      ...{ run: runOf('frame 123'), marksCuts: true, beforeNs: 5e6, afterNs: 0 },
    });
    expect([eventAt(batch, 0), eventAt(batch, 1)]).toEqual(story.map(({ event }) => event));
  });
});
