import { looks } from '../samples/signals-state.ts';
import { readCanvasStyle } from '../ui/canvas-style.ts';

/** The colours of the style sheet as a canvas takes them, for the theme of the moment. */
export interface PlotColours {
  readonly lines: readonly string[];
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  readonly bad: string;
  readonly surface: string;
  readonly font: string;
}

export const readColours = (place: HTMLElement): PlotColours =>
  readCanvasStyle(place, ({ colourOf, font }) => ({
    lines: Array.from({ length: looks }, (_, look) => colourOf(`series-${look + 1}`)),
    text: colourOf('text'),
    quiet: colourOf('quiet'),
    line: colourOf('line'),
    bad: colourOf('bad'),
    surface: colourOf('surface'),
    font,
  }));
