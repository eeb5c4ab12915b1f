import { describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { busCode, eventKindCode, frameFlag } from '../frame/frm2-layout.ts';
import { TraceBatch } from '../trace/trace-batch.ts';
import type { ConditionRun } from './condition-run.ts';
import { maxConditionLength, parseCondition } from './parse-condition.ts';
import { conditionText } from './print-condition.ts';
import { runOf } from './testing/story.ts';

interface Frame {
  readonly id: number;
  readonly channel: number;
}

const rowsPerBatch = 4096;

/** Takes frames a microsecond apart. Returns how often the first condition fired. */
const take = (run: ConditionRun, count: number, frameAt: (index: number) => Frame): number => {
  const batch = new TraceBatch(rowsPerBatch);
  batch.bus.fill(busCode.can);
  batch.kind.fill(eventKindCode.rx_frame);
  batch.flags.fill(frameFlag.extended);
  let fired = 0;
  for (let index = 0; index < count; index++) {
    const row = index % rowsPerBatch;
    const { id, channel } = frameAt(index);
    batch.timeNs[row] = index * 1000;
    batch.id[row] = id;
    batch.channel[row] = channel;
    if (run.row(batch, row)) fired += 1;
  }
  return fired;
};

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (thrown) {
    return BusbarError.from(thrown).code;
  }
  return 'none';
};

const every = (count: number, term: (index: number) => string, by = ' or '): string =>
  Array.from({ length: count }, (_, index) => term(index)).join(by);

describe('A hostile condition', () => {
  it.each([
    ['10,000 parentheses', '('.repeat(10_000)],
    ['10,000 parentheses that are closed', `${'('.repeat(10_000)}error${')'.repeat(10_000)}`],
    ['parentheses up to the length', '('.repeat(maxConditionLength)],
    ['negations up to the length', 'not '.repeat(maxConditionLength / 4)],
    ['a million characters', 'x'.repeat(1_000_000)],
    ['a quotation that never ends', `signal "${'\\"'.repeat(2000)}`],
    ['100 silences', every(100, (index) => `silence ${index + 100} 1s`)],
    ['operators alone', 'or and within not'.repeat(200)],
    ['NUL', '\0'.repeat(100)],
    ['a window above a day', 'error within 24.000001h of error'],
  ])('is refused: %s', (_, text) => {
    expect(codeOf(() => parseCondition(text, 'when'))).toBe('invalid_argument');
  });

  it('at its limits is read, and written back', () => {
    const deep = `${'('.repeat(31)}error${')'.repeat(31)}`;
    expect(conditionText(parseCondition(deep, 'when'))).toBe('error');
    const wide = every(64, () => 'silence 00000000-1FFFFFFF 24h on "x y"', ' and ');
    const text = conditionText(parseCondition(wide, 'when'));
    expect(conditionText(parseCondition(text, 'when'))).toBe(text);
    const name = 'n'.repeat(maxConditionLength - 'change M.'.length);
    expect(parseCondition(`change M.${name}`, 'when').op).toBe('change');
  });
});

describe('A hostile trace', () => {
  it('ends silences of many terms on many channels without looking through all of them', () => {
    // Silences of a frame end at 64 moments, while 64 x 1,024 others wait for theirs.
    const silences = every(63, (index) => `silence 00000000-1FFFFFFF ${index + 1}us`);
    const run = runOf(`${silences} or silence 00000000-1FFFFFFF 1ms`);
    const fired = take(run, 4000, (index) => ({ id: index, channel: index % 1024 }));
    expect(fired).toBeGreaterThan(0);
    expect(run.holds()).toBe(true);
  });

  it('with more identifiers than are remembered is watched all the same', () => {
    const run = runOf('frame 10000000-1FFFFFFF');
    // The last ones are not remembered, and come again.
    const [identifiers, repeated] = [265_000, 1000];
    const frameAt = (index: number): Frame => {
      const number = index < identifiers ? index : index - repeated;
      return { id: (number % 2 === 0 ? 0x1000_0000 : 0) + number, channel: number % 7 };
    };
    expect(take(run, identifiers + repeated, frameAt)).toBe((identifiers + repeated) / 2);
  });

  it('with more channels than are watched is refused', () => {
    const run = runOf('error or silence 123 1s');
    const channels = (count: number) => () => take(run, count, (channel) => ({ id: 1, channel }));
    expect(codeOf(channels(4096))).toBe('none');
    expect(codeOf(channels(4097))).toBe('capacity_exceeded');
  });

  it('is evaluated by 64 conditions in steps that do not grow with what came before', () => {
    const window = every(32, (index) => `frame 000000${(index + 16).toString(16)}`);
    const conditions = Array.from({ length: 64 }, () => `error within 24h of (${window})`);
    const run = runOf(conditions);
    expect(take(run, 5000, (index) => ({ id: index & 0xff, channel: 1 }))).toBe(0);
  });
});
