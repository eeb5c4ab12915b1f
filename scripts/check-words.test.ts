import { describe, expect, it } from 'vitest';
import { wordsIn } from './check-words.mjs';

/** Line and word of each finding. */
const found = (path: string, text: string): string[] =>
  wordsIn(path, text).map((line: string) => /:(\d+: "[^"]+")/.exec(line)?.[1] ?? line);

describe('the word check', () => {
  it('names file, line, word and the better word', () => {
    expect(wordsIn('docs/x.md', 'A page.\n\nIt starts anew.\n')).toEqual([
      'docs/x.md:3: "anew": write again, or from scratch',
    ]);
  });

  it.each([
    ['a line comment', 'a.ts', '// Told by the driver.'],
    ['a block comment', 'a.tsx', 'let a;\n/**\n * Is told.\n */'],
    ['a string', 'a.mjs', "const hint = 'Nothing is told.';"],
    ['a template', 'a.ts', `const hint = \`\${name} is told\`;`],
    ['text of an element', 'a.tsx', 'return <p class="x">Nothing is told {name}.</p>;'],
    ['a comment in Python', 'a.py', 'x = 1  # told later'],
    ['a docstring', 'a.py', 'def f():\n    """What is told."""'],
    ['a comment in a style sheet', 'a.css', 'p {\n  /* As told. */\n}'],
  ])('finds a word in %s', (_, path, text) => {
    expect(found(path, text)).toHaveLength(1);
  });

  it.each([
    ['names', 'a.ts', 'const told = isTold(tell);'],
    ['strings of one word', 'a.ts', "send('told');"],
    ['expressions in a template', 'a.ts', `const hint = \`The error: \${told}\`;`],
    ['expressions in a Python string', 'a.py', 'x = f"an error {told}"'],
    ['strings of tests, which are no texts of the product', 'a.test.ts', "it('is told', f);"],
    ['code in Markdown', 'a.md', 'Use `told` here.\n\n```\nit is told\n```\n'],
    ['addresses of links', 'a.md', 'See [this](what-is-told.md).'],
    ['parts of words', 'a.md', 'An intelligent retelling of understanding.'],
    ['generated files', 'a.py', '# Generated from the API.\n# It is told.'],
  ])('does not read %s', (_, path, text) => {
    expect(found(path, text)).toEqual([]);
  });

  it.each([
    ['It stands in the file.', 'It stands for a file.'],
    ['It goes on after that.', 'The frame goes on the bus.'],
    ['The event behind it.', 'The daemon runs behind a reverse proxy.'],
    ['It starts when the device is there.', 'Is there another device?'],
  ])('finds an odd sense and not the usual one: %s', (odd, usual) => {
    expect(found('a.md', odd)).toHaveLength(1);
    expect(found('a.md', usual)).toEqual([]);
  });

  it.each([
    ['a.md', 'A ring is a circle. <!-- words-ok: circle -->'],
    ['a.md', '<!-- words-ok: circle, told -->\nA circle is told.'],
    ['a.ts', '// words-ok: circle\n/** Draws a circle. */'],
    ['a.tsx', 'return <p>Draw a circle</p>; {/* words-ok: circle */}'],
    ['a.py', '# Draws a circle.  words-ok: circle'],
  ])('allows what is marked in place: %s %s', (path, text) => {
    expect(found(path, text)).toEqual([]);
  });

  it('allows only the marked word, and only on that line', () => {
    const text = '// A circle, anew. words-ok: circle\n\n// A circle.';
    expect(found('a.ts', text)).toEqual(['1: "anew"', '3: "circle"']);
  });
});
