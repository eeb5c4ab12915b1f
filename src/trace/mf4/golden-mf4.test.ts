import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { cases } from '../../base/testing/long.ts';
import { seededRandom } from '../../base/testing/seeded-random.ts';
import { eventText } from '../testing/event-text.ts';
import { FileSink } from '../testing/memory-bytes.ts';
import { batchOf, type ReadTrace, readTrace } from '../testing/trace-events.ts';
import { createMf4 } from './create-mf4.ts';
import { readMf4 } from './read-mf4.ts';

const folder = join(import.meta.dirname, '../../../tests/golden/mf4');
const frames = readFileSync(join(folder, 'frames.txt'), 'utf8').trimEnd().split('\n');
const names = readdirSync(folder).filter((name) => name.endsWith('.mf4'));
const bytesOf = (name: string): Buffer => readFileSync(join(folder, name));

/** Times are those of floating-point seconds. */
const textsOf = ({ events }: ReadTrace): string[] =>
  events.map((event) => eventText({ ...event, timeNs: Math.round(event.timeNs / 1000) * 1000 }));

const startUnixUs = Date.UTC(2026, 0, 1) * 1000;
const isData = (frame: string): boolean => !/ \S*(?:remote|error)\S* \d+$/.test(frame);

describe.each(names)('%s of another program', (name) => {
  const expected = name.includes('variable') ? frames.filter(isData) : frames;

  it('has every frame that was given to it', () => {
    const trace = readTrace(readMf4, bytesOf(name));
    expect(textsOf(trace)).toEqual(expected);
    expect(trace.startUnixUs).toBe(startUnixUs);
    expect(trace.account).toMatchObject({ malformed: 0, truncated: false });
  });

  it('is the same after it is written again', () => {
    const { events } = readTrace(readMf4, bytesOf(name));
    const sink = new FileSink();
    const writer = createMf4(sink, { startUnixUs, channelName: () => null });
    writer.write(batchOf(events), 0, events.length);
    writer.end();
    expect(readTrace(readMf4, sink.bytes()).events).toEqual(events);
  });

  it('is read in part or refused wherever it is damaged or cut', () => {
    const bytes = bytesOf(name);
    const random = seededRandom(bytes.length);
    const below = (limit: number): number => Math.floor(random() * limit);
    for (let run = 0; run < cases(100, 2000); run++) {
      const damaged = Buffer.from(bytes);
      for (let hits = below(6); hits >= 0; hits--) {
        const value = random() < 0.3 ? ([0, 0xff, 0x80][below(3)] ?? 0) : below(256);
        damaged[below(damaged.length)] = value;
      }
      const cut = damaged.subarray(0, random() < 0.2 ? below(damaged.length) : damaged.length);
      try {
        const { events, account } = readTrace(readMf4, cut);
        expect(account.events).toBe(events.length);
      } catch (error) {
        expect(error).toBeInstanceOf(BusbarError);
        expect(error).toMatchObject({ code: 'invalid_trace' });
      }
    }
  });
});
