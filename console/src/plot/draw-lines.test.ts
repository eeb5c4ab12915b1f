import { describe, expect, it } from 'vitest';
import { aSeries } from '../samples/testing/samples.ts';
import { type Canvas, drawLines, type PaneLine, type PlotColours } from './draw-lines.ts';
import { linePoints } from './line-points.ts';
import { SvgSurface } from './picture/svg-surface.ts';

const colours: PlotColours = {
  lines: ['blue'],
  text: 'black',
  quiet: 'grey',
  line: 'silver',
  bad: 'red',
  accent: 'navy',
  surface: 'white',
  font: '12px sans-serif',
};

const aLine = (samples: number, traits: Partial<PaneLine> = {}): PaneLine => {
  const series = aSeries(Array.from({ length: samples }, (_, at) => at % 7));
  return {
    name: 'Speed',
    series,
    points: linePoints(series, { fromUs: 0, toUs: samples * 1000 }, samples),
    spans: [],
    colour: 'blue',
    axis: 0,
    dash: [],
    isFocused: false,
    isFaint: false,
    isStep: false,
    hasDots: false,
    ...traits,
  };
};

const widthsOf = (line: PaneLine, { isLive, ratio }: { isLive: boolean; ratio: number }) => {
  const context = new SvgSurface(100, 50, () => ({ width: 0 }));
  const box = { left: 0, top: 0, width: 100, height: 50 };
  const canvas: Canvas = { context, ratio, box, x: (us) => us / 100, y: (value) => value, isLive };
  drawLines(canvas, [line], colours);
  const paths = context
    .toString()
    .split('\n')
    .filter((each) => each.includes('stroke="blue"'));
  return paths.map((path) => {
    const [, start, width] = /d="M([^L]+)L.*stroke-width="([^"]+)"/.exec(path) ?? [];
    return `${width} from ${start}`;
  });
};

describe('lines of many points', () => {
  it('are drawn as lines of one pixel side by side on a screen', () => {
    const first = widthsOf(aLine(1000), { isLive: false, ratio: 1 });
    expect(first).toEqual(['1.5 from 10 0']);
    expect(widthsOf(aLine(1000), { isLive: true, ratio: 1 })).toEqual([
      '1 from 9.75 -0.25',
      '1 from 10.25 0.25',
    ]);
    expect(widthsOf(aLine(1000), { isLive: true, ratio: 2 })).toEqual([
      '1 from 9 -1',
      '1 from 10 0',
      '1 from 11 1',
    ]);
  });

  it('have their outline if it would show: few points, or a faint line', () => {
    expect(widthsOf(aLine(20), { isLive: true, ratio: 1 })).toHaveLength(1);
    expect(widthsOf(aLine(1000, { isFaint: true }), { isLive: true, ratio: 1 })).toHaveLength(1);
  });
});
