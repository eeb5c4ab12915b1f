import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../support/workbench.ts';

const css = readFileSync(join(repository, 'console/src/styles/tokens.css'), 'utf8');
const colours = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }] as const,
  ),
);

/** Relative luminance, as WCAG 2 defines it. */
const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one: string, other: string): number => {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dim + 0.05);
};

const ratio = (theme: 'light' | 'dark', one: string, other: string): number => {
  const [front, back] = [colours.get(one), colours.get(other)];
  if (!front || !back) throw new RangeError(`No colour for ${one} on ${other}`);
  return contrast(front[theme], back[theme]);
};

const grounds = ['page', 'surface', 'raised', 'selected'];
const inks = ['text', 'quiet', 'accent', 'good', 'warn', 'bad'];
const textPairs = [
  ...grounds.flatMap((ground) => inks.map((ink) => [ink, ground] as const)),
  ['text', 'changed'],
  ...['heat-1', 'heat-2', 'heat-3', 'heat-4'].map((heat) => ['text', heat] as const),
  // The text of a primary button has the colour of the surface.
  ['surface', 'accent'],
  ['surface', 'bad'],
] as const;
const shapePairs = [
  ['edge', 'surface'],
  ['edge', 'raised'],
  ['edge', 'page'],
  ['accent', 'selected'],
] as const;

describe.each(['light', 'dark'] as const)('the colours of the %s theme', (theme) => {
  it.each(textPairs)('make %s readable on %s', (ink, ground) => {
    expect(ratio(theme, ink, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(shapePairs)('set %s off from %s where it is the edge of a control', (edge, ground) => {
    expect(ratio(theme, edge, ground)).toBeGreaterThanOrEqual(3);
  });
});

describe('the palette', () => {
  it('knows a contrast of one for a colour on itself, and of 21 for black on white', () => {
    expect(contrast('#123456', '#123456')).toBe(1);
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  });

  it('has both themes for every colour', () => {
    expect([...colours.keys()].sort()).toEqual(
      [...css.matchAll(/--([\w-]+):[^;]*#/g)].map(([, name = '']) => name).sort(),
    );
  });
});
