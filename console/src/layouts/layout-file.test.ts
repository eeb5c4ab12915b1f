import { describe, expect, it } from 'vitest';
import { layoutText, packLayout, readLayout, unpackLayout } from './layout-file.ts';
import type { SavedLayout } from './layout-schema.ts';

const bench: SavedLayout = {
  panes: {
    show: 'columns',
    at: 0.6,
    first: { show: 'trace' },
    second: { show: 'rows', at: 0.5, first: { show: 'plot' }, second: { show: 'changes' } },
  },
  trace: {
    view: 'by-id',
    time: 'delta',
    one_row: true,
    filter: { channel: '', id: '100-1FF', name: '', direction: 'rx', data: '' },
  },
  signals: {
    signals: [
      {
        ...{ channel: 'powertrain', selector: 'SIM00001/1', database: 'car', message: 'Engine' },
        ...{ source_address: null, history: 1024, signal: 'Speed', plotted: true, look: 0 },
      },
    ],
    ...{ window_us: 30_000_000, panes: 'one', axes: 'signal', lines: 'step' },
  },
  instance: 'pump',
};

const problemsIn = (value: unknown): readonly string[] | null =>
  readLayout(JSON.stringify(value)).problems;

describe('readLayout', () => {
  it('reads what layoutText writes', () => {
    expect(readLayout(layoutText(bench))).toEqual({ layout: bench, problems: null });
  });

  it.each<[string, unknown, string]>([
    ['no panes', {}, 'panes is required.'],
    ['an unknown field', { ...bench, colour: 1 }, 'colour is not a known field.'],
    [
      'a view that is missing',
      { panes: { ...bench.panes, first: {} } },
      'panes.first.show is required.',
    ],
    ['a share above 1', { panes: { ...bench.panes, at: 2 } }, 'panes.at must be at most 1.'],
    [
      'a wrong setting',
      { ...bench, trace: { ...bench.trace, time: 'now' } },
      'trace.time must be one of absolute, relative, delta.',
    ],
    [
      'a page twice',
      { panes: { show: 'rows', at: 0.5, first: { show: 'signals' }, second: { show: 'plot' } } },
      'panes must show each page once, and shows that of plot twice.',
    ],
  ])('refuses %s and names the field', (_, value, problem) => {
    expect(problemsIn(value)).toEqual([problem]);
  });

  it('refuses an unknown view with the known ones', () => {
    const [problem] = problemsIn({ panes: { show: 'clock' } }) ?? [];
    expect(problem).toMatch(/^panes\.show must be one of columns, rows, overview, trace, /);
  });

  it('refuses panes that are nested too deeply', () => {
    const outer = '{"show":"rows","at":0.5,"second":{"show":"plot"},"first":';
    for (const levels of [30, 100_000]) {
      const panes = `${outer.repeat(levels)}{"show":"trace"}${'}'.repeat(levels)}`;
      expect(readLayout(`{"panes":${panes}}`).problems).toEqual(['panes must be at most 12.']);
    }
  });

  it.each(['null', '[]', '"panes"', '1'])('refuses %s', (text) => {
    expect(readLayout(text).problems).toEqual(['The file must be an object.']);
  });

  it('refuses text that is not JSON', () => {
    expect(readLayout('panes')).toEqual({ layout: null, problems: ['The file is not JSON.'] });
  });
});

describe('packLayout', () => {
  it('writes what unpackLayout reads, with characters that links do not escape', async () => {
    const packed = await packLayout(bench);
    expect(packed).toMatch(/^[\w-]+$/);
    expect(readLayout((await unpackLayout(packed)) ?? '')).toEqual({
      layout: bench,
      problems: null,
    });
  });

  it.each(['', '*', 'AAAA'])('reads nothing from %j', async (packed) => {
    await expect(unpackLayout(packed)).resolves.toBeNull();
  });
});
