interface CanvasStyle {
  readonly colourOf: (token: string) => string;
  readonly font: string;
}

/**
 * Reads colours and font of the style sheet for a canvas, in the current theme. Only an element
 * knows a colour of its own scheme.
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

type TextKind = 'title' | 'mono' | 'plain';

const context = document.createElement('canvas').getContext('2d');
const widths = new Map<string, number>();
const maxKept = 2000;
const fonts = new Map<TextKind, string>();

const fontOf = (kind: TextKind): string => {
  const style = getComputedStyle(document.documentElement);
  const pixels = (token: string): number =>
    Number.parseFloat(style.getPropertyValue(token)) * Number.parseFloat(style.fontSize);
  const sans = style.getPropertyValue('--sans');
  if (kind === 'title') return `600 ${pixels('--text-small')}px ${sans}`;
  return kind === 'mono'
    ? `${pixels('--text-small')}px ${style.getPropertyValue('--mono')}`
    : `${pixels('--text-body')}px ${sans}`;
};

/** All digits are equally wide, so that numbers that change need not be measured. */
export const textWidth = (exact: string, kind: TextKind): number => {
  const text = exact.replaceAll(/\d/g, '0');
  const key = `${kind} ${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  if (!context) return 0;
  const font = fonts.get(kind) ?? fontOf(kind);
  fonts.set(kind, font);
  context.font = font;
  const width = Math.ceil(context.measureText(text).width);
  if (widths.size >= maxKept) widths.clear();
  widths.set(key, width);
  return width;
};
