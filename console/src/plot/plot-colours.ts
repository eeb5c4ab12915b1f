import { looks } from '../samples/signals-state.ts';

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

/** Reads them where they apply: a colour of its own scheme is known only to an element. */
export const readColours = (place: HTMLElement): PlotColours => {
  const probe = place.appendChild(document.createElement('span'));
  const colourOf = (token: string): string => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  };
  probe.style.fontSize = 'var(--text-small)';
  probe.style.fontFamily = 'var(--sans)';
  const { fontSize, fontFamily } = getComputedStyle(probe);
  const colours = {
    lines: Array.from({ length: looks }, (_, look) => colourOf(`series-${look + 1}`)),
    text: colourOf('text'),
    quiet: colourOf('quiet'),
    line: colourOf('line'),
    bad: colourOf('bad'),
    surface: colourOf('surface'),
    font: `${fontSize} ${fontFamily}`,
  };
  probe.remove();
  return colours;
};
