import type { Tone } from '../live/reading.ts';

/** The colours of the style sheet as a canvas takes them, for the theme of the moment. */
export type WireColours = Readonly<
  Record<Tone | 'accent' | 'text' | 'quiet' | 'surface' | 'box' | 'sign' | 'font', string>
>;

/** Reads them where they apply: a colour of its own scheme is known only to an element. */
export const readWireColours = (place: HTMLElement): WireColours => {
  const probe = place.appendChild(document.createElement('span'));
  const colourOf = (token: string): string => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  };
  probe.style.fontSize = 'var(--text-small)';
  probe.style.fontFamily = 'var(--sans)';
  const { fontSize, fontFamily } = getComputedStyle(probe);
  const colours = {
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
    font: `${fontSize} ${fontFamily}`,
  };
  probe.remove();
  return colours;
};
