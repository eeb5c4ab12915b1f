import { Marked } from 'marked';

/** As GitHub names a heading, so that a link works there and on the site alike. */
const slugOf = (text) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const plainOf = (tokens) =>
  tokens.map((token) => (token.tokens ? plainOf(token.tokens) : token.text)).join('');

export const escapeHtml = (text) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/**
 * A page of Markdown: its HTML, title, first sentence and sections. `addressOf` tells where a link leads from it,
 * or null where the site has nothing there; what it says is then shown without a link.
 */
export const renderMarkdown = (text, addressOf) => {
  const sections = [];
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
      if (depth === 2) sections.push({ id, title });
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
      if (!['', '<br>'].includes(kept)) throw new Error(`A page has HTML in it: ${kept}`);
      return kept;
    },
  };
  const marked = new Marked({ renderer });
  const tokens = marked.lexer(text);
  const heading = tokens.find(({ type }) => type === 'heading');
  const paragraph = tokens.find(({ type }) => type === 'paragraph');
  return {
    html: marked.parser(tokens),
    title: plainOf(heading?.tokens ?? []),
    summary:
      /^.*?[.:](?=\s|$)/s.exec(plainOf(paragraph?.tokens ?? []))?.[0].replace(/:$/, '.') ?? '',
    sections,
  };
};
