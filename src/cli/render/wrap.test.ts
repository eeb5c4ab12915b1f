import { describe, expect, it } from 'vitest';
import { wrapColumns, wrapCommand, wrapText, wrapUsage } from './wrap.ts';

describe('wrapText', () => {
  it('breaks between words, and keeps a word that is longer than a line whole', () => {
    expect(wrapText('one two three four five six', 20)).toEqual(['one two three four', 'five six']);
    expect(wrapText(`a ${'x'.repeat(30)} b`, 20)).toEqual(['a', 'x'.repeat(30), 'b']);
  });

  it('keeps paragraphs apart', () => {
    expect(wrapText('one\n\ntwo', 40)).toEqual(['one', '', 'two']);
  });
});

describe('wrapUsage', () => {
  it('breaks between options and never inside of one', () => {
    const usage = 'busbar part list <name> [--tag=<tag> …] [--mode=a|b] [--flag[=true|false]]';
    expect(wrapUsage(usage, 40, '  ')).toEqual([
      '  busbar part list <name>',
      '    [--tag=<tag> …] [--mode=a|b]',
      '    [--flag[=true|false]]',
    ]);
  });
});

describe('wrapCommand', () => {
  it('stays one command for a shell', () => {
    expect(wrapCommand('busbar part list --tag=one --mode=two', 30, '  ')).toEqual([
      '  busbar part list \\',
      '    --tag=one --mode=two',
    ]);
    expect(wrapCommand('busbar part list', 30, '  ')).toEqual(['  busbar part list']);
  });
});

describe('wrapColumns', () => {
  it('wraps the right column beside the left one', () => {
    const rows = [
      ['--a', 'first of all the options'],
      ['--longer', 'second'],
    ] as const;
    expect(wrapColumns(rows, 36, '  ')).toEqual([
      '  --a       first of all the options',
      '  --longer  second',
    ]);
    expect(wrapColumns(rows, 33, '  ')).toEqual([
      '  --a       first of all the',
      '            options',
      '  --longer  second',
    ]);
  });

  it('puts the text below a left side that is too long to stand beside', () => {
    const rows = [
      ['--a', 'short'],
      ['--much-too-long=<for-a-column>', 'below'],
    ] as const;
    expect(wrapColumns(rows, 40, '  ')).toEqual([
      '  --a       short',
      '  --much-too-long=<for-a-column>',
      '            below',
    ]);
  });
});
