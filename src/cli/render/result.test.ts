import { describe, expect, it } from 'vitest';
import type { OutputFormat } from '../../operations/global-options.ts';
import { plainPalette } from './palette.ts';
import { renderResult } from './result.ts';

const value = { jobs: [{ id: 'a', state: 'running', since: null }] };

describe('renderResult', () => {
  it.each<[OutputFormat, string]>([
    ['text', 'id  since\na   -\n'],
    ['json', `${JSON.stringify(value, null, 2)}\n`],
    ['jsonl', '{"jobs":[{"id":"a","state":"running","since":null}]}\n'],
    ['csv', 'path,value\njobs[0].id,a\njobs[0].state,running\njobs[0].since,\n'],
  ])('prints %s', (format, expected) => {
    expect(renderResult(format, value, plainPalette, ['id', 'since'])).toBe(expected);
  });

  it('prints text that is the whole result as JSON text where JSON is asked for', () => {
    expect(renderResult('json', 'a\nb', plainPalette)).toBe('"a\\nb"\n');
    expect(renderResult('text', 'a\nb', plainPalette)).toBe('a\nb\n');
  });
});
