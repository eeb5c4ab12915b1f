// Search over all pages. The index is a script, because pages opened from a folder cannot fetch.
const base = new URL('.', document.currentScript.src);
const maxResults = 12;

const form = document.createElement('search');
const input = document.createElement('input');
input.type = 'search';
input.id = 'search';
input.placeholder = 'Search ( / )';
input.autocomplete = 'off';
input.setAttribute('aria-label', 'Search the documentation');
input.setAttribute('aria-controls', 'results');
const panel = document.createElement('div');
panel.id = 'results';
panel.className = 'results';
panel.hidden = true;
const status = document.createElement('p');
status.setAttribute('role', 'status');
const list = document.createElement('ol');
panel.append(status, list);
form.append(input, panel);
document.querySelector('header').append(form);

let loading;
const load = () => {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = new URL('search-index.js', base).href;
    script.onload = () => resolve(globalThis.searchIndex);
    script.onerror = reject;
    document.head.append(script);
  });
  return loading;
};

/**
 * A term counts most in the heading, then in the page title, then in the text, and more as a whole word. A heading that
 * equals the search text comes first.
 */
const scoreOf = ([title, heading, , , words], terms, text) => {
  const weighted = [
    [heading || title, 9],
    [title, 4],
    [words, 1],
  ];
  const scores = terms.map((term) =>
    weighted.reduce((sum, [text, weight]) => {
      const match = text.match(term);
      return sum + (match === null ? 0 : weight * (match[1] === '' ? 3 : 1));
    }, 0),
  );
  if (scores.includes(0)) return 0;
  const isHeading = (heading || title).toLowerCase() === text.toLowerCase();
  return scores.reduce((sum, score) => sum + score, isHeading ? 50 : 0);
};

const find = (index, text) => {
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  if (words.length === 0) return [];
  const terms = words.map(
    (word) => new RegExp(`(?<![\\p{L}\\p{N}])${word}([\\p{L}\\p{N}]*)`, 'iu'),
  );
  return index
    .map((row) => ({ row, score: scoreOf(row, terms, text) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ row }) => row);
};

const itemOf = ([title, heading, address, excerpt]) => {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = new URL(address, base).href;
  const name = document.createElement('strong');
  name.textContent = heading === '' ? title : `${title} › ${heading}`;
  const text = document.createElement('span');
  text.textContent = excerpt;
  link.append(name, text);
  item.append(link);
  return item;
};

const show = async () => {
  const text = input.value.trim();
  if (text === '') {
    panel.hidden = true;
    return;
  }
  const found = find(await load(), text);
  if (text !== input.value.trim()) return;
  list.replaceChildren(...found.slice(0, maxResults).map(itemOf));
  const more = found.length > maxResults ? `, the best ${maxResults} are listed` : '';
  status.textContent = found.length === 1 ? '1 result' : `${found.length} results${more}`;
  panel.hidden = false;
};

const close = () => {
  panel.hidden = true;
  input.value = '';
};

input.addEventListener('focus', load, { once: true });
input.addEventListener('input', show);

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, textarea') !== null;
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    input.focus();
  }
});

form.addEventListener('keydown', (event) => {
  const stops = [input, ...list.querySelectorAll('a')];
  const at = stops.indexOf(document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined && !panel.hidden) {
    event.preventDefault();
    stops[Math.min(Math.max(at + step, 0), stops.length - 1)].focus();
  } else if (event.key === 'Enter' && at === 0 && !panel.hidden) {
    stops[1]?.click();
  } else if (event.key === 'Escape') {
    close();
    input.focus();
  }
});

// A link to a heading of the same page leaves the page loaded.
list.addEventListener('click', () => setTimeout(close));
document.addEventListener('click', (event) => {
  if (!form.contains(event.target)) panel.hidden = true;
});
