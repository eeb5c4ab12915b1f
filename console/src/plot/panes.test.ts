import { describe, expect, it } from 'vitest';
import { dashOf, paneHeights, panesOf } from './panes.ts';

const members = [
  { key: 'speed', unit: 'km/h', isLabelled: false },
  { key: 'gear', unit: '', isLabelled: true },
  { key: 'counter', unit: '', isLabelled: false },
  { key: 'wheel', unit: 'km/h', isLabelled: false },
  { key: 'other', unit: '', isLabelled: false },
];

describe('panesOf', () => {
  it('puts numbers of one unit together, and lanes of names last', () => {
    const panes = panesOf(members, 'unit');
    expect(panes.map(({ keys }) => keys)).toEqual([
      ['speed', 'wheel'],
      ['counter'],
      ['other'],
      ['gear'],
    ]);
    expect(panes.map(({ kind }) => kind)).toEqual(['numbers', 'numbers', 'numbers', 'labels']);
  });

  it('gives every signal its own pane if that is wanted', () => {
    expect(panesOf(members, 'signal').map(({ keys }) => keys)).toEqual([
      ['speed'],
      ['counter'],
      ['wheel'],
      ['other'],
      ['gear'],
    ]);
  });

  it('has no panes without signals', () => {
    expect(panesOf([], 'unit')).toEqual([]);
  });
});

describe('paneHeights', () => {
  it('fills what is there, with the rules between the panes', () => {
    const panes = panesOf(members.slice(0, 3), 'unit');
    const heights = paneHeights(panes, 600);
    expect(heights.reduce((sum, each) => sum + each, 0)).toBe(600 - 2);
    expect(heights[0]).toBe(heights[1]);
  });

  it('keeps panes readable where there is too little room', () => {
    expect(Math.min(...paneHeights(panesOf(members, 'signal'), 100))).toBeGreaterThanOrEqual(60);
  });
});

describe('dashOf', () => {
  it('tells apart the lines of one pane', () => {
    const panes = panesOf(members, 'unit');
    expect(dashOf(panes, 'speed')).toEqual([]);
    expect(dashOf(panes, 'wheel')).not.toEqual([]);
    expect(dashOf(panes, 'gear')).toEqual([]);
    expect(dashOf(panes, 'unknown')).toEqual([]);
  });
});
