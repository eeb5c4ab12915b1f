import { describe, expect, it } from 'vitest';
import { cases } from '../../../src/base/testing/long.ts';
import { seededRandom } from '../../../src/base/testing/seeded-random.ts';
import { databaseForConditions } from '../../../src/condition/condition-context.ts';
import { parseCondition } from '../../../src/condition/parse-condition.ts';
import { conditionText } from '../../../src/condition/print-condition.ts';
import {
  bareContext,
  errorEvent,
  firingsOf,
  frameEvent,
  runOf,
  type StoryEvent,
} from '../../../src/condition/testing/story.ts';
import { aSignal } from '../../../src/database/testing/a-signal.ts';
import { aMessage } from '../../../src/signal/testing/models.ts';
import { batchOf } from '../../../src/trace/testing/trace-events.ts';
import { firings, type Measure, type Seen, selected, written } from './evaluate.ts';
import { kindsIn, measures, randomStory, randomTree } from './random-story.ts';

/** As SocketCAN numbers them. */
const errorClasses = { error: 0x008, bus_off: 0x040, controller: 0x004 };

const hex = (id: number): string => id.toString(16).padStart(3, '0');
const nameOf = ({ id, byte }: Measure): string => `M${hex(id)}.B${byte}`;

const messages = [...new Set(measures.map(({ id }) => id))].map((id) => ({
  ...aMessage(
    measures
      .filter((measure) => measure.id === id)
      .map(({ byte, tenths, offset }) =>
        aSignal({
          name: `B${byte}`,
          startBit: 8 * byte,
          factor: String(tenths / 10),
          offset: String(offset / 10),
        }),
      ),
  ),
  name: `M${hex(id)}`,
  id,
}));
const database = databaseForConditions('random', { format: 'dbc', messages });
const context = bareContext({ databases: [database], databasesOf: () => [database] });

const eventOf = (seen: Seen): StoryEvent => {
  const { ms, channel } = seen;
  switch (seen.is) {
    case 'frame':
      return {
        ms,
        event: frameEvent(ms, channel, hex(seen.id), Buffer.from(seen.data).toString('hex')),
      };
    case 'gap':
      return { ms, event: 'gap' };
    case 'pause':
      return { ms, event: 'wait' };
    default:
      return { ms, event: errorEvent(ms, channel, errorClasses[seen.is]) };
  }
};

const selectedBy = (text: string, events: readonly StoryEvent[]): number[] => {
  const run = runOf(text, context);
  return events.flatMap(({ event, ms }, index) => {
    if (event === 'gap') run.gap();
    else if (event === 'wait') while (run.advance(ms * 1e6));
    else {
      run.row(batchOf([event]), 0);
      return run.selects() ? [index] : [];
    }
    return [];
  });
};

describe('Random conditions over random events', () => {
  it('fire and select as the reference says, and are written back with the same meaning', () => {
    const tally = new Map<string, number>();
    let fired = 0;
    for (let seed = 1; seed <= cases(300, 3000); seed++) {
      const random = seededRandom(seed);
      const tree = randomTree(random);
      const story = randomStory(random, 30);
      const text = written(tree, nameOf);
      const events = story.map(eventOf);
      const expected = firings(tree, story);
      const shown = { seed, text, story };
      expect({ ...shown, at: firingsOf(runOf(text, context), events) }).toEqual({
        ...shown,
        at: expected,
      });
      const filtered = selected(tree, story);
      expect({ ...shown, at: selectedBy(text, events) }).toEqual({ ...shown, at: filtered });
      const short = conditionText(parseCondition(text, 'when'));
      expect({ ...shown, at: firingsOf(runOf(short, context), events) }).toEqual({
        ...shown,
        at: expected,
      });
      expect(conditionText(parseCondition(short, 'when'))).toBe(short);
      fired += expected.length;
      for (const kind of kindsIn(tree)) tally.set(kind, (tally.get(kind) ?? 0) + 1);
    }
    expect(fired).toBeGreaterThan(300);
    expect(Math.min(...tally.values())).toBeGreaterThan(5);
    expect([...tally.keys()].sort()).toEqual([
      ...['and', 'and of states', 'bus_off', 'change', 'error', 'frame', 'not', 'or'],
      ...['or of states', 'signal', 'silence', 'within'],
    ]);
  });
});
