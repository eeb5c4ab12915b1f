// npm run words [-- <path>…]: lists odd words in guides, interface texts and comments, with the better word.
// A word that is right where it is has a mark on its line or on the line before: words-ok: <word>
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** Words to avoid, and better ones. */
const rules = [
  [/tell|tells|telling|told/, 'report, say, show, list or contain'],
  [/anew/, 'again, or from scratch'],
  [/by (?:itself|themselves)/, 'automatically, on its own or separately'],
  [/at once/, 'immediately, or together'],
  [/(?:left|leave|leaves|leaving) out/, 'omit'],
  [/(?:look|looks|looked|looking) at/, 'check or read'],
  [/(?:go|goes|going|gone|went) on(?! (?:an?|the|its|every|each)\b)/, 'continue'],
  [/(?:stand|stands|stood|standing)(?! for\b| alone\b|-)/, 'is'],
  [/whatever/, 'any, or regardless of'],
  [/whoever|nobody/, 'no one, or name it'],
  [
    /(?<!\b(?:falls?|fallen|far|is|are|little|s|far too) )behind(?! (?:an?|the|its|your|one|another) (?:[\w-]+ )?(?:proxy|firewall|NAT|interface|router|hub)\b)/,
    'after, or name the place',
  ],
  [/beside/, 'next to, in addition to, or while … is running'],
  [
    /(?:is|are|was|were|be|been) (?:not |still |already )?there(?=[.,;:)]|$| (?:and|or|when|where|while|if|again|now|yet|at|but|as)\b)/,
    'exists, or is available',
  ],
  [/(?:has|have|had) (?:come|gone)/, 'arrived, was connected or was removed'],
  [/(?:give|gives|gave|given|giving) (?:it |them )?back|giveBack\w*/, 'return or free'],
  [/(?:keep|keeps|kept) to(?! itself)/, 'follow'],
  [/(?:hear|hears|heard)/, 'receive'],
  [/the present LTS/, 'the current LTS'],
  [/wish|wishes|wished/, 'request'],
  [/deeds?/, 'action'],
  [/flaws?/, 'error'],
  [/shelf|shelves/, 'store'],
  [/circles?/, 'cycle'],
  [/kicks?|kicked/, 'start'],
  [/doomed/, 'pending failure'],
  [/rehearsals?/, 'warm-up'],
  [/troubles?(?! codes?\b)/, 'error or problem'],
  [/mends?|mended/, 'fix'],
  [/spoils?|spoilt/, 'corrupt'],
  [/raws/, 'raw values'],
  [/for ever/, 'forever, or without limit'],
  [/once more/, 'again'],
];

/** All rules in one pattern, each in a group, so that a text is read once. */
const anyRule = new RegExp(rules.map(([{ source }]) => `\\b(${source})\\b`).join('|'), 'gi');

const patterns = {
  code: /\/\/.*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`/g,
  jsx: /(?<=[>}])[^<>{}();=`"]*[a-z,.] [a-z][^<>{}();=`"]*(?=[<{])/gi,
  python: /#.*|"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g,
  css: /\/\*[\s\S]*?\*\//g,
  notProse: /^```[\s\S]*?^```|`[^`\n]*`|\]\([^)\s]*\)/gm,
};

const blank = (text, pattern) => text.replaceAll(pattern, (found) => found.replaceAll(/\S/g, ' '));

/** Prose in a file, each piece with its offset: comments, and strings of several words outside tests. */
const proseIn = (path, text) => {
  const kind = /\.(\w+)$/.exec(path)?.[1];
  if (kind === 'md') return [{ 0: blank(text, patterns.notProse), index: 0 }];
  const pattern = /^(?:py|sh)$/.test(kind)
    ? patterns.python
    : kind === 'css'
      ? patterns.css
      : patterns.code;
  const isTest = /\.test\.|^tests\/|\/tests?\//.test(path);
  const pieces = [...text.matchAll(pattern)].filter(
    ({ 0: piece }) => /^(?:\/[/*]|#|""")/.test(piece) || (!isTest && /\S \S/.test(piece)),
  );
  const jsx = kind === 'tsx' ? blank(text, patterns.code).matchAll(patterns.jsx) : [];
  return [...pieces, ...jsx].map((piece) => ({
    0: blank(piece[0], /\$?\{[^{}]*\}/g),
    index: piece.index,
  }));
};

const markedIn = (line) =>
  /words-ok: ([\w ,]+)/
    .exec(line)?.[1]
    .split(',')
    .map((word) => word.trim()) ?? [];

/** Odd words of a file, as `path:line: "word": write …`; none in a generated file, whose source is read. */
export const wordsIn = (path, text) => {
  if (/^(?:#|\/\/|<!--) Generated /.test(text)) return [];
  const lines = text.split('\n');
  return proseIn(path, text).flatMap(({ 0: piece, index: start }) =>
    [...piece.matchAll(anyRule)].flatMap(({ 0: word, index, ...groups }) => {
      const rule = rules.findIndex((_, number) => groups[number + 1] !== undefined);
      const line = text.slice(0, start + index).split('\n').length;
      const allowed = lines.slice(Math.max(line - 2, 0), line).flatMap(markedIn);
      if (allowed.includes(word.toLowerCase())) return [];
      return [`${path}:${line}: "${word}": write ${rules[rule][1]}`];
    }),
  );
};

/** Decision records keep the words of their time. */
const isRead = (path) =>
  /\.(?:md|tsx?|mjs|cjs|py|sh|css|h|c|rs)$/.test(path) && !path.startsWith('docs/adr/');

const check = (prefixes) =>
  execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => isRead(path) && prefixes.some((prefix) => path.startsWith(prefix)))
    .flatMap((path) =>
      existsSync(join(root, path)) ? wordsIn(path, readFileSync(join(root, path), 'utf8')) : [],
    );

if (process.argv[1]?.endsWith('check-words.mjs')) {
  const prefixes = process.argv.slice(2);
  const found = check(prefixes.length > 0 ? prefixes : ['']);
  for (const line of found) console.error(line);
  console.log(`Words: ${found.length} to replace`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
