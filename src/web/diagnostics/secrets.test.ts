import { describe, expect, it } from 'vitest';
import { compileScrub } from './secrets.ts';

const secret = 's3cret/tok+en';

describe('scrubbing', () => {
  const scrub = compileScrub([secret, 'caf\u00e9"x']);
  const base64 = (text: string): string => Buffer.from(text).toString('base64');

  it.each([
    [`/a/${secret}/b`, '/a/[redacted]/b'],
    [`${secret}${secret}x`, '[redacted][redacted]x'],
    [`/a/${encodeURIComponent(secret)}/b`, '/a/[redacted]/b'],
    ['/a/s3cret%2ftok%2ben', '/a/[redacted]'],
    ['/a/x%73%33cret%2Ftok+e%6Ey/%41', '/a/[redacted]/%41'],
    ['/a/%73%33cret/tok+e%6E/%41', '[redacted]'],
    [`/${secret}/s3cret%2Ftok+en/%4`, '/[redacted]/[redacted]/%4'],
    ['/a/s3cret%25252Ftok%252Ben', '/a/[redacted]'],
    ['/a/caf%C3%A9%22x', '/a/[redacted]'],
    ['/\u00fc/caf\u00e9"x/\u00fc', '/\u00fc/[redacted]/\u00fc'],
    ['/a/caf\u00e9\\"x', '/a/[redacted]'],
    [`/a/${base64(secret)}/b`, '/a/[redacted]/b'],
    [`/a/${encodeURIComponent(base64(secret))}`, '/a/[redacted]%3D%3D'],
    ['/nothing/100%/here', '/nothing/100%/here'],
  ])('turns %s into %s', (text, expected) => {
    expect(scrub(text)).toBe(expected);
  });

  it.each(['', 'u:', 'user:'])('finds base64 that begins with "%s" before the secret', (lead) => {
    for (const tail of ['', '!', '!!']) {
      const encoded = base64(lead + secret + tail);
      const left = scrub(`/a/${encoded}`).replace('/a/', '').replace('[redacted]', '');
      expect(left.length).toBeLessThanOrEqual(base64(lead).length + 2);
    }
  });

  it('leaves nothing of a text in which the mark would complete the secret anew', () => {
    expect(compileScrub(['x['])('xx[')).toBe('[redacted]');
  });

  it('does not take ordinary words for the base64 of a short secret', () => {
    expect(compileScrub(['ab'])('/YW/YWI/api')).toBe('/YW/YWI/api');
  });

  it('changes nothing without secrets', () => {
    expect(compileScrub([''])('\ud800 %41')).toBe('\ud800 %41');
  });
});
