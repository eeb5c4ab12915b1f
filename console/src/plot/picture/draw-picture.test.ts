import { describe, expect, it } from 'vitest';
import { aSeries } from '../../samples/testing/samples.ts';
import { linePoints } from '../line-points.ts';
import type { PanePicture } from '../pane-plot.ts';
import { drawPicture, heightOf, type Picture } from './draw-picture.ts';
import { SvgSurface } from './svg-surface.ts';

const measureText = (text: string) => ({ width: 6 * text.length });
const aSurface = () => new SvgSurface(100, 50, measureText);

describe('SvgSurface', () => {
  it('writes paths with their style, rounded to hundredths of a pixel', () => {
    const surface = aSurface();
    surface.beginPath();
    surface.moveTo(1, 2.3456);
    surface.lineTo(3, 4);
    surface.strokeStyle = 'rgb(1, 2, 3)';
    surface.lineWidth = 1.5;
    surface.setLineDash([7, 4]);
    surface.globalAlpha = 0.5;
    surface.stroke();
    expect(surface.toString()).toBe(
      [
        '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50" viewBox="0 0 100 50">',
        '<path d="M1 2.35L3 4" fill="none" stroke="rgb(1, 2, 3)" stroke-width="1.5" stroke-dasharray="7 4" opacity="0.5"/>',
        '</svg>\n',
      ].join('\n'),
    );
  });

  it('writes texts with all characters, at the line below their letters', () => {
    const surface = aSurface();
    surface.font = '600 10px "A & B", sans-serif';
    surface.textAlign = 'right';
    surface.textBaseline = 'middle';
    surface.fillText('a < b', 20, 30);
    expect(surface.toString()).toContain(
      '<text x="20" y="33.5" fill="#000" font-family="&quot;A &amp; B&quot;, sans-serif" font-size="10" font-weight="600" text-anchor="end">a &lt; b</text>',
    );
  });

  it('ends clips and shifts with the state that they belong to', () => {
    const surface = aSurface();
    surface.save();
    surface.translate(0, 20);
    surface.fillStyle = '#fff';
    surface.save();
    surface.beginPath();
    surface.rect(1, 1, 8, 8);
    surface.clip();
    surface.beginPath();
    surface.arc(5, 5, 2);
    surface.fill();
    surface.restore();
    expect(surface.fillStyle).toBe('#fff');
    surface.restore();
    expect(surface.fillStyle).toBe('#000');
    const text = surface.toString();
    expect(text.match(/<g /g)).toHaveLength(2);
    expect(text.match(/<\/g>/g)).toHaveLength(2);
    expect(text).toContain('<clipPath id="c1"><path d="M1 1h8v8h-8z"/></clipPath>');
    expect(text).toContain('<path d="M3 5a2 2 0 1 0 4 0a2 2 0 1 0 -4 0z" fill="#fff"/>');
  });

  it('draws nothing without a path', () => {
    const surface = aSurface();
    surface.beginPath();
    surface.stroke();
    expect(surface.toString()).not.toContain('<path');
  });
});

const colours = {
  lines: ['blue'],
  text: 'black',
  quiet: 'grey',
  line: 'silver',
  bad: 'red',
  accent: 'navy',
  surface: 'white',
  font: '12px sans-serif',
};

const range = { fromUs: 0, toUs: 10_000 };

const aPane = (values: readonly number[]): PanePicture => {
  const series = aSeries(values);
  series.break();
  return {
    ratio: 1,
    box: { left: 64, top: 20, width: 100, height: 80 },
    x: (us) => 64 + us / 100,
    y: (value) => 100 - value,
    height: 124,
    hasTimeAxis: true,
    timeTicks: [{ at: 114, text: '00:00:05' }],
    axes: [{ x: 64, title: 'a very long unit', colour: 'grey', ticks: [{ at: 60, text: '40' }] }],
    lines: [
      {
        name: 'Speed rpm',
        series,
        points: linePoints(series, range, 100),
        spans: [],
        colour: 'blue',
        axis: 0,
        dash: [],
        isFocused: false,
        isFaint: false,
        isStep: false,
        hasDots: true,
      },
    ],
  };
};

const drawn = (picture: Picture): string => {
  const surface = new SvgSurface(picture.width, heightOf(picture), measureText);
  drawPicture(surface, picture);
  return surface.toString();
};

describe('drawPicture', () => {
  const picture: Picture = {
    width: 200,
    colours,
    range,
    cursors: null,
    panes: [aPane([10, 20, 40]), aPane([5])],
  };

  it('draws the points that the page shows, with axes, legend and time', () => {
    const text = drawn(picture);
    expect(text).toContain('viewBox="0 0 200 272"');
    expect(text).toContain('d="M74 90L75 90L74 90L84 80L94 60" fill="none" stroke="blue"');
    expect(text).toContain('>Speed rpm</text>');
    expect(text).toContain('>00:00:05</text>');
    expect(text).toContain('>40</text>');
    expect(text).toContain('>a very l…</text>');
    expect(text).toContain('<g transform="translate(0 124)">');
    expect(text).not.toContain('Δt');
  });

  it('shows the cursors and the time between them', () => {
    const text = drawn({ ...picture, cursors: { a: 8000, b: 2000 } });
    expect(text).toContain('<path d="M84 0h60v100h-60z" fill="navy" opacity="0.08"/>');
    expect(text).toContain('>A</text>');
    expect(text).toContain('Δt -0.006000 s</text>');
  });

  it('has no line for a cursor outside the view', () => {
    const text = drawn({ ...picture, cursors: { a: -5000, b: 2000 } });
    expect(text.match(/stroke="navy"/g)).toHaveLength(2);
  });
});
