import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../support/workbench.ts';

/** The root element of each page. */
const roots = [
  ['overview', '.overview'],
  ['channels', '.channels-page'],
  ['modbus', '.modbus-page'],
  ['diagnostics', '.diagnostics-page'],
  ['trace', '.trace'],
  ['signals', '.signals-page'],
  ['send', '.send-page'],
  ['files', '.files-page'],
  ['recorders', '.recorders-page'],
  ['checks', '.checks-page'],
  ['api', '.api'],
] as const;

const sheetOf = (page: string): string =>
  readFileSync(join(repository, 'console', 'src', 'pages', page, `${page}.css`), 'utf8');

/** Selectors of all rules without nested ones; rules inside a media query have none. */
const selectorsOf = (css: string): readonly string[] => {
  const text = css.replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const selectors: string[] = [];
  const open: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') {
      const prelude = text.slice(from, at).trim();
      if (!prelude.startsWith('@') && open.every((each) => each.startsWith('@'))) {
        selectors.push(...prelude.split(/,(?![^(]*\))/).map((each) => each.trim()));
      }
      open.push(prelude);
    } else if (text[at] === '}') open.pop();
    if ('{};'.includes(text[at] ?? '')) from = at + 1;
  }
  return selectors;
};

describe('the style sheet of a page', () => {
  it.each(roots)('names nothing outside the page %s', (page, root) => {
    const selectors = selectorsOf(sheetOf(page));
    expect(selectors).not.toEqual([]);
    const isInside = (each: string): boolean =>
      each === root || (each.startsWith(root) && /[ :[.>]/.test(each[root.length] ?? ''));
    expect(selectors.filter((each) => !isInside(each))).toEqual([]);
  });
});
