import { describe, expect, it } from 'vitest';
import { axisOf, dashOf, drawnAxes, paneHeights, panesOf } from './panes.ts';

const aMember = (key: string, unit: string, look: number, isLabelled = false) => ({
  key,
  name: `name of ${key}`,
  look,
  unit,
  isLabelled,
});

const members = [
  aMember('speed', 'km/h', 0),
  aMember('gear', '', 1, true),
  aMember('counter', '', 2),
  aMember('wheel', 'km/h', 3),
  aMember('other', '', 4),
];

describe('panesOf', () => {
  it('puts numbers of one unit together, and lanes of names last', () => {
    const panes = panesOf(members, 'unit', 'unit');
    expect(panes.map(({ keys }) => keys)).toEqual([
      ['speed', 'wheel'],
      ['counter'],
      ['other'],
      ['gear'],
    ]);
    expect(panes.map(({ kind }) => kind)).toEqual(['numbers', 'numbers', 'numbers', 'labels']);
  });

  it('gives every signal its own pane if that is wanted', () => {
    expect(panesOf(members, 'signal', 'unit').map(({ keys }) => keys)).toEqual([
      ['speed'],
      ['counter'],
      ['wheel'],
      ['other'],
      ['gear'],
    ]);
  });

  it('puts all numbers into one pane, with lanes below', () => {
    expect(panesOf(members, 'one', 'unit').map(({ keys }) => keys)).toEqual([
      ['speed', 'counter', 'wheel', 'other'],
      ['gear'],
    ]);
  });

  it('shares an axis by unit, with the colour of a line that has it alone', () => {
    const [pane] = panesOf(members, 'one', 'unit');
    expect(pane?.axes.map(({ title, look, keys }) => ({ title, look, keys }))).toEqual([
      { title: 'km/h', look: null, keys: ['speed', 'wheel'] },
      { title: 'name of counter', look: 2, keys: ['counter'] },
      { title: 'name of other', look: 4, keys: ['other'] },
    ]);
  });

  it('can give every signal its own axis', () => {
    const [pane] = panesOf(members, 'one', 'signal');
    expect(pane?.axes.map(({ title, unit }) => [title, unit])).toEqual([
      ['name of speed', 'km/h'],
      ['name of counter', ''],
      ['name of wheel', 'km/h'],
      ['name of other', ''],
    ]);
    expect(pane && axisOf(pane, 'wheel')).toBe(2);
  });

  it('has an axis of its own in each pane', () => {
    const ids = panesOf(members, 'signal', 'unit').flatMap(({ axes }) => axes.map(({ id }) => id));
    expect(new Set(ids).size).toBe(members.length);
  });

  it('draws no more axes than there is room for', () => {
    const many = Array.from({ length: 9 }, (_, at) => aMember(`s${at}`, '', at));
    const [pane] = panesOf(many, 'one', 'signal');
    expect([pane?.axes.length, pane && drawnAxes(pane).length]).toEqual([9, 4]);
  });

  it('has no panes without signals', () => {
    expect(panesOf([], 'unit', 'unit')).toEqual([]);
  });
});

describe('paneHeights', () => {
  it('fills what is there, with the rules between the panes', () => {
    const panes = panesOf(members.slice(0, 3), 'unit', 'unit');
    const heights = paneHeights(panes, 600);
    expect(heights.reduce((sum, each) => sum + each, 0)).toBe(600 - 2);
    expect(heights[0]).toBe(heights[1]);
  });

  it('keeps panes readable where there is too little room', () => {
    expect(
      Math.min(...paneHeights(panesOf(members, 'signal', 'unit'), 100)),
    ).toBeGreaterThanOrEqual(60);
  });
});

describe('dashOf', () => {
  it('tells apart the lines of one pane', () => {
    const panes = panesOf(members, 'unit', 'unit');
    expect(dashOf(panes, 'speed')).toEqual([]);
    expect(dashOf(panes, 'wheel')).not.toEqual([]);
    expect(dashOf(panes, 'gear')).toEqual([]);
    expect(dashOf(panes, 'unknown')).toEqual([]);
  });
});
