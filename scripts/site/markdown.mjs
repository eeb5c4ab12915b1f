import { Marked } from 'marked';

/** The anchor that GitHub gives a heading, so that a link works there and on the site. */
const slugOf = (text) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const plainOf = (tokens) =>
  tokens.map((token) => (token.tokens ? plainOf(token.tokens) : token.text)).join('');

/** All text of a block: paragraphs, code, list items, cells. */
const textOf = ({ tokens, items, header, rows, text, type }) => {
  if (type === 'html' || type === 'space') return '';
  if (tokens)
    return tokens.some((each) => each.tokens || each.items)
      ? tokens.map(textOf).join(' ')
      : plainOf(tokens);
  if (items) return items.map(textOf).join(' ');
  if (rows) return [header, ...rows].flat().map(textOf).join(' ');
  return text ?? '';
};

export const escapeHtml = (text) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/**
 * A page of Markdown: its HTML, title, first sentence, sections, and the text below each heading for the search.
 * `addressOf` resolves a link; null shows its label without a link.
 */
export const renderMarkdown = (text, addressOf) => {
  const headings = [];
  const slugs = new Map();
  const slugFor = (title) => {
    const slug = slugOf(title);
    const count = slugs.get(slug) ?? 0;
    slugs.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
  const renderer = {
    heading({ tokens, depth }) {
      const id = slugFor(plainOf(tokens));
      const title = this.parser.parseInline(tokens);
      headings.push({ id, title, depth });
      const link =
        depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to here">#</a>`;
      return `<h${depth} id="${id}">${title}${link}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const label = this.parser.parseInline(tokens);
      const address = addressOf(href);
      return address === null ? label : `<a href="${escapeHtml(address)}">${label}</a>`;
    },
    code({ text: code }) {
      return `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>\n`;
    },
    table(token) {
      const row = (cells, tag) =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>\n`;
      const body = token.rows.map((cells) => row(cells, 'td')).join('');
      return `<div class="table" tabindex="0"><table>\n<thead>${row(token.header, 'th')}</thead>\n<tbody>${body}</tbody>\n</table></div>\n`;
    },
    html({ text: html }) {
      const kept = html.replaceAll(/<!--[\s\S]*?-->/g, '').trim();
      if (!['', '<br>'].includes(kept)) throw new Error(`A page contains HTML: ${kept}`);
      return kept;
    },
  };
  const marked = new Marked({ renderer });
  const tokens = marked.lexer(text);
  const html = marked.parser(tokens);
  const starts = tokens.flatMap(({ type }, index) => (type === 'heading' ? [index] : []));
  const texts = starts.map((start, number) => ({
    id: headings[number].id,
    heading: plainOf(tokens[start].tokens),
    text: tokens
      .slice(start + 1, starts[number + 1])
      .map(textOf)
      .join(' '),
  }));
  const paragraph = tokens.find(({ type }) => type === 'paragraph');
  return {
    html,
    title: texts[0]?.heading ?? '',
    summary:
      /^.*?[.:](?=\s|$)/s.exec(plainOf(paragraph?.tokens ?? []))?.[0].replace(/:$/, '.') ?? '',
    sections: headings.filter(({ depth }) => depth === 2),
    texts,
  };
};
