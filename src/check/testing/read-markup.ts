/** An element of strict markup: every tag is closed, every attribute quoted, every entity known. */
export interface MarkupElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly MarkupElement[];
  readonly text: string;
}

type Open = { name: string; attributes: Record<string, string>; children: Open[]; text: string };

const entity = /&(?:(amp|lt|gt|quot)|#(\d+));/g;
const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

// Char of XML 1.0.
const allowed = /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u;

const plainText = (text: string): string => {
  if (/&(?!(?:amp|lt|gt|quot|#\d+);)/.test(text)) throw new Error(`Bad entity in ${text}`);
  return text.replace(entity, (_, name: string | undefined, code: string) =>
    name === undefined ? String.fromCodePoint(Number(code)) : (characters[name] as string),
  );
};

const attributesOf = (source: string): Record<string, string> => {
  const found: Record<string, string> = {};
  const rest = source.replace(/\s+([\w:-]+)="([^"<]*)"/g, (_, name: string, value: string) => {
    if (name in found) throw new Error(`${name} is repeated`);
    found[name] = plainText(value);
    return '';
  });
  if (rest.trim() !== '') throw new Error(`Bad attributes: ${rest}`);
  return found;
};

const tag = /<(\/?)([A-Za-z][\w:-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/y;

/** Parses a document and throws on anything that is not well-formed. */
export const readMarkup = (document: string, voidElements: readonly string[] = []) => {
  if (!allowed.test(document)) throw new Error('A character is not allowed');
  const source = document.replace(
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n|^<!doctype html>\n/,
    '',
  );
  const root: Open = { name: '', attributes: {}, children: [], text: '' };
  const stack = [root];
  let at = 0;
  while (at < source.length) {
    const top = stack.at(-1) as Open;
    const next = source.indexOf('<', at);
    const end = next < 0 ? source.length : next;
    top.text += plainText(source.slice(at, end));
    if (next < 0) break;
    tag.lastIndex = next;
    const match = tag.exec(source);
    if (!match) throw new Error(`Bad markup: ${source.slice(next, next + 80)}`);
    const [, closing, name = '', given = '', empty] = match;
    at = tag.lastIndex;
    if (closing) {
      if (top.name !== name) throw new Error(`${name} closes ${top.name}`);
      stack.pop();
      continue;
    }
    const element: Open = { name, attributes: attributesOf(given), children: [], text: '' };
    top.children.push(element);
    if (!empty && !voidElements.includes(name)) stack.push(element);
  }
  const [only, ...others] = root.children;
  if (stack.length > 1 || !only || others.length > 0 || root.text.trim() !== '') {
    throw new Error('The document is not one element');
  }
  return only as MarkupElement;
};

export const elementsOf = (element: MarkupElement): MarkupElement[] => [
  element,
  ...element.children.flatMap(elementsOf),
];
