import type { Surface } from '../draw-lines.ts';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (each) => escapes[each] ?? '');

const rounded = (value: number): string => String(Math.round(value * 100) / 100);

const anchors: Partial<Record<CanvasTextAlign, string>> = { right: 'end', center: 'middle' };

/** Distance of the line below the letters from `y`, as a share of the font size. */
const drops: Partial<Record<CanvasTextBaseline, number>> = { top: 0.8, middle: 0.35, bottom: -0.2 };

const defaults = {
  globalAlpha: 1,
  lineWidth: 1,
  lineJoin: 'miter' as CanvasLineJoin,
  strokeStyle: '#000' as Surface['strokeStyle'],
  fillStyle: '#000' as Surface['fillStyle'],
  font: '10px sans-serif',
  textAlign: 'left' as CanvasTextAlign,
  textBaseline: 'alphabetic' as CanvasTextBaseline,
};

/** What is drawn on it like on a canvas becomes the text of an SVG file. */
export class SvgSurface implements Surface {
  globalAlpha = defaults.globalAlpha;
  lineWidth = defaults.lineWidth;
  lineJoin = defaults.lineJoin;
  strokeStyle = defaults.strokeStyle;
  fillStyle = defaults.fillStyle;
  font = defaults.font;
  textAlign = defaults.textAlign;
  textBaseline = defaults.textBaseline;
  readonly measureText: Surface['measureText'];
  readonly #size: string;
  readonly #parts: string[] = [];
  readonly #saved: { readonly style: typeof defaults; readonly groups: number }[] = [];
  #path: string[] = [];
  #dash: number[] = [];
  #groups = 0;
  #clips = 0;

  /** Widths of texts depend on fonts, which only a canvas knows. */
  constructor(width: number, height: number, measureText: Surface['measureText']) {
    const [wide, high] = [rounded(width), rounded(height)];
    this.#size = `width="${wide}" height="${high}" viewBox="0 0 ${wide} ${high}"`;
    this.measureText = measureText;
  }

  toString(): string {
    const head = `<svg xmlns="http://www.w3.org/2000/svg" ${this.#size}>`;
    return `${[head, ...this.#parts, '</svg>'].join('\n')}\n`;
  }

  save(): void {
    const { globalAlpha, lineWidth, lineJoin, strokeStyle, fillStyle } = this;
    const { font, textAlign, textBaseline } = this;
    this.#saved.push({
      style: {
        ...{ globalAlpha, lineWidth, lineJoin, strokeStyle, fillStyle },
        ...{ font, textAlign, textBaseline },
      },
      groups: this.#groups,
    });
    this.#groups = 0;
  }

  restore(): void {
    const saved = this.#saved.pop();
    if (!saved) return;
    this.#parts.push('</g>'.repeat(this.#groups));
    Object.assign(this, saved.style);
    this.#groups = saved.groups;
  }

  translate(x: number, y: number): void {
    this.#groups += 1;
    this.#parts.push(`<g transform="translate(${rounded(x)} ${rounded(y)})">`);
  }

  beginPath(): void {
    this.#path = [];
  }

  moveTo(x: number, y: number): void {
    this.#path.push(`M${rounded(x)} ${rounded(y)}`);
  }

  lineTo(x: number, y: number): void {
    this.#path.push(`L${rounded(x)} ${rounded(y)}`);
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.moveTo(x, y);
    this.#path.push(`h${rounded(width)}v${rounded(height)}h${rounded(-width)}z`);
  }

  /** Arcs are always whole. */
  arc(x: number, y: number, radius: number): void {
    const r = rounded(radius);
    const across = rounded(2 * radius);
    this.moveTo(x - radius, y);
    this.#path.push(`a${r} ${r} 0 1 0 ${across} 0a${r} ${r} 0 1 0 -${across} 0z`);
  }

  clip(): void {
    this.#clips += 1;
    this.#groups += 1;
    this.#parts.push(
      `<clipPath id="c${this.#clips}"><path d="${this.#path.join('')}"/></clipPath>`,
      `<g clip-path="url(#c${this.#clips})">`,
    );
  }

  setLineDash(dash: number[]): void {
    this.#dash = dash;
  }

  stroke(): void {
    const dash = this.#dash.length > 0 ? ` stroke-dasharray="${this.#dash.join(' ')}"` : '';
    const join = this.lineJoin === 'miter' ? '' : ` stroke-linejoin="${this.lineJoin}"`;
    const style = `fill="none" stroke="${String(this.strokeStyle)}" stroke-width="${rounded(this.lineWidth)}"`;
    this.#draw(`${style}${dash}${join}`);
  }

  fill(): void {
    this.#draw(`fill="${String(this.fillStyle)}"`);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.beginPath();
    this.rect(x, y, width, height);
    this.fill();
  }

  fillText(text: string, x: number, y: number): void {
    const [, weight = '', size = '10', family = 'sans-serif'] =
      /^(?:(\d+) )?([\d.]+)px (.+)$/.exec(this.font) ?? [];
    const base = y + (drops[this.textBaseline] ?? 0) * Number(size);
    const anchor = anchors[this.textAlign];
    const attributes = [
      `x="${rounded(x)}" y="${rounded(base)}" fill="${String(this.fillStyle)}"`,
      `font-family="${escaped(family)}" font-size="${size}"`,
      ...(weight === '' ? [] : [`font-weight="${weight}"`]),
      ...(anchor ? [`text-anchor="${anchor}"`] : []),
    ];
    this.#parts.push(`<text ${attributes.join(' ')}>${escaped(text)}</text>`);
  }

  #draw(style: string): void {
    if (this.#path.length === 0) return;
    const alpha = this.globalAlpha === 1 ? '' : ` opacity="${this.globalAlpha}"`;
    this.#parts.push(`<path d="${this.#path.join('')}" ${style}${alpha}/>`);
  }
}
