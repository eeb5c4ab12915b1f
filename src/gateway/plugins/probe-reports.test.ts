import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pluginFailed } from './native-library.ts';
import { ProbeReports } from './probe-libraries.ts';

const line = (report: unknown): string => `${JSON.stringify(report)}\n`;
const steps = [{ step: 0 }, { step: 1 }, { step: 2 }].map(line);
const failure = pluginFailed('filter', 'create_failed', 'no memory');

const read = (...pieces: readonly (string | Uint8Array)[]) => {
  const reports = new ProbeReports(steps.length);
  const isTaken = pieces.every((piece) => reports.add(Buffer.from(piece)));
  return { isTaken, begun: reports.begun, outcome: reports.outcome };
};

describe('the reports of a probe', () => {
  it('are taken wherever they are cut', () => {
    const bytes = Buffer.from([...steps, line({ done: true })].join(''));
    for (let cut = 0; cut <= bytes.length; cut++) {
      const outcome = read(bytes.subarray(0, cut), bytes.subarray(cut));
      expect(outcome).toEqual({ isTaken: true, begun: 3, outcome: 'done' });
    }
  });

  it('may end with an error of a plugin at any step', () => {
    const { isTaken, outcome } = read(steps[0] ?? '', line({ error: failure.toRecord() }));
    expect(isTaken).toBe(true);
    expect(outcome).toMatchObject({
      code: 'plugin_failed',
      message: 'filter: no memory',
      details: { plugin: 'filter', reason: 'create_failed' },
    });
  });

  it.each([
    ['text', 'junk\n'],
    ['nothing', '\n'],
    ['null', 'null\n'],
    ['a list', '[0]\n'],
    ['another step', line({ step: 1 })],
    ['a step that is no number', line({ step: '0' })],
    ['no end yet', line({ done: true })],
    ['an error without details', line({ error: { code: 'plugin_failed', message: 'x' } })],
    [
      'an error that plugins do not cause',
      line({ error: { code: 'unauthorized', message: 'x', details: {} } }),
    ],
    ['half a line before the rest', `jun${steps[0]}`],
    ['a line without an end', 'x'.repeat(20_000)],
  ])('are refused for %s', (_, text) => {
    expect(read(text)).toEqual({ isTaken: false, begun: 0, outcome: undefined });
  });

  it('are refused for more steps than there are, and for anything after the end', () => {
    expect(read(...steps, line({ step: 3 })).isTaken).toBe(false);
    expect(read(...steps, line({ done: true }), 'x').isTaken).toBe(false);
  });

  it('are never anything else, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (pieces) => {
        const { begun, outcome } = read(...pieces);
        expect(outcome).toBeUndefined();
        expect(begun).toBe(0);
      }),
    );
  });
});
