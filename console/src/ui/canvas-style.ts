/** What an element of a page would be drawn with, for a canvas in its place. */
export interface CanvasStyle {
  readonly colourOf: (token: string) => string;
  readonly font: string;
}

/**
 * Reads colours and font of the style sheet as a canvas takes them, for the theme of the moment, where
 * they apply: a colour of its own scheme is known only to an element.
 */
export const readCanvasStyle = <Style>(
  place: HTMLElement,
  read: (style: CanvasStyle) => Style,
): Style => {
  const probe = place.appendChild(document.createElement('span'));
  const colourOf = (token: string): string => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  };
  probe.style.fontSize = 'var(--text-small)';
  probe.style.fontFamily = 'var(--sans)';
  const { fontSize, fontFamily } = getComputedStyle(probe);
  const style = read({ colourOf, font: `${fontSize} ${fontFamily}` });
  probe.remove();
  return style;
};
