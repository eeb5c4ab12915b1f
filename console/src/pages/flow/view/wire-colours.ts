import { readCanvasStyle } from '../../../ui/canvas-style.ts';
import type { Tone } from '../live/reading.ts';

/** The colours of the style sheet as a canvas takes them, for the theme of the moment. */
export type WireColours = Readonly<
  Record<Tone | 'accent' | 'text' | 'quiet' | 'surface' | 'box' | 'sign' | 'font', string>
>;

export const readWireColours = (place: HTMLElement): WireColours =>
  readCanvasStyle(place, ({ colourOf, font }) => ({
    idle: colourOf('rim'),
    good: colourOf('edge'),
    awaited: colourOf('quiet'),
    broken: colourOf('bad'),
    accent: colourOf('accent'),
    text: colourOf('text'),
    quiet: colourOf('quiet'),
    surface: colourOf('surface'),
    box: colourOf('rim'),
    sign: colourOf('good'),
    font,
  }));
