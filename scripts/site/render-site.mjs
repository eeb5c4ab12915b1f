// The guides and the reference as pages that can be read without a server, a network or scripts.
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { contents, documents } from './contents.mjs';
import { escapeHtml, renderMarkdown } from './markdown.mjs';

const isElsewhere = (href) => /^[a-z]+:/.test(href);

/** Relative address of a file, seen from a page. */
const between = (from, to) => posix.relative(posix.dirname(from), to) || posix.basename(to);

const linksOf = (page) => (href) => {
  if (isElsewhere(href) || href.startsWith('#')) return href;
  const [path, anchor] = href.split('#');
  const target = posix.join('docs', posix.dirname(page), path);
  const listed = contents
    .flatMap(({ pages }) => pages)
    .find((each) => `docs/${each}.md` === target);
  const place = listed === undefined ? documents[target] : `${listed}.html`;
  if (place === undefined) return null;
  return `${between(`${page}.html`, place)}${anchor === undefined ? '' : `#${anchor}`}`;
};

const sectionsOf = ({ sections }) =>
  sections.length === 0
    ? ''
    : `<ul class="sections">\n${sections.map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>\n`).join('')}</ul>\n`;

const navigation = (groups, place) =>
  groups
    .map(({ title, pages }) => {
      const items = pages.map((page) => {
        const isHere = page.place === place;
        const mark = isHere ? ' aria-current="page"' : '';
        const link = `<a href="${between(place, page.place)}"${mark}>${escapeHtml(page.title)}</a>`;
        return `<li>${link}${isHere ? `\n${sectionsOf(page)}` : ''}</li>\n`;
      });
      const isOpen = place === 'index.html' || pages.some((page) => page.place === place);
      return `<details${isOpen ? ' open' : ''}>\n<summary>${title}</summary>\n<ul>\n${items.join('')}</ul>\n</details>\n`;
    })
    .join('');

const wordsOf = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}_][\p{L}\p{N}_-]*/gu));

/** A row for each heading: page, heading, address, beginning of the text and all words below it. */
const searchIndex = (groups) =>
  groups
    .flatMap(({ pages }) => pages)
    .flatMap(({ place, title, texts }) =>
      texts.map(({ id, heading, text }, number) => [
        title,
        number === 0 ? '' : heading,
        number === 0 ? place : `${place}#${id}`,
        text.replaceAll(/\s+/g, ' ').trim().slice(0, 110),
        [...wordsOf(text)].join(' '),
      ]),
    );

const frame = (groups, { place, title, html }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Busbar</title>
<link rel="icon" type="image/svg+xml" href="${between(place, 'favicon.svg')}">
<link rel="stylesheet" href="${between(place, 'site.css')}">
<script src="${between(place, 'theme.js')}"></script>
<script src="${between(place, 'search.js')}" defer></script>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header><a href="${between(place, 'index.html')}">Busbar documentation</a></header>
<nav aria-label="Pages">
${navigation(groups, place)}</nav>
<main id="text">
${html}</main>
</body>
</html>
`;

const indexOf = (groups) => {
  const lists = groups.map(({ title, pages }) => {
    const items = pages.map(
      (page) =>
        `<dt><a href="${page.place}">${escapeHtml(page.title)}</a></dt>\n<dd>${escapeHtml(page.summary)}</dd>\n`,
    );
    return `<h2>${title}</h2>\n<dl>\n${items.join('')}</dl>\n`;
  });
  return {
    place: 'index.html',
    title: 'Documentation',
    html: `<h1>Busbar</h1>\n${lists.join('')}`,
  };
};

/** Every file of the site by its path. */
export const renderSite = async (root) => {
  const read = (path) => readFile(join(root, path), 'utf8');
  const pageOf = async (name) => ({
    place: `${name}.html`,
    ...renderMarkdown(await read(`docs/${name}.md`), linksOf(name)),
  });
  const groups = await Promise.all(
    contents.map(async ({ title, pages }) => ({
      title,
      pages: await Promise.all(pages.map(pageOf)),
    })),
  );
  const pages = [indexOf(groups), ...groups.flatMap((group) => group.pages)];
  const files = new Map(pages.map((page) => [page.place, frame(groups, page)]));
  for (const [from, to] of Object.entries(documents)) {
    files.set(to, JSON.stringify(JSON.parse(await read(from))));
  }
  const own = (name) => read(posix.join('scripts/site', name));
  files.set('site.css', `${await read('console/src/styles/tokens.css')}\n${await own('site.css')}`);
  for (const name of ['theme.js', 'search.js']) files.set(name, await own(name));
  files.set(
    'search-index.js',
    `globalThis.searchIndex = ${JSON.stringify(searchIndex(groups))};\n`,
  );
  files.set('favicon.svg', await read('console/static/favicon.svg'));
  return files;
};
