import { describe, expect, it } from 'vitest';
import { SseParser } from '../../console/public/sse-parser.js';

type Parsed = [type: string, data: string, id: string | null];

const parse = (...pieces: string[]): Parsed[] => {
  const events: Parsed[] = [];
  const parser = new SseParser((...event: Parsed) => events.push(event));
  for (const piece of pieces) parser.push(piece);
  return events;
};

describe('the parser of server-sent events', () => {
  const text = ': hello\n\nid: 7\nevent: gap\ndata: {"missed":1}\n\ndata: a\ndata:b\n\n';
  const events: Parsed[] = [
    ['gap', '{"missed":1}', '7'],
    ['message', 'a\nb', '7'],
  ];

  it('reads types, data and ids, and skips comments', () => {
    expect(parse(text)).toEqual(events);
  });

  it('does not care where the text is cut', () => {
    for (let cut = 0; cut <= text.length; cut++) {
      expect(parse(text.slice(0, cut), text.slice(cut))).toEqual(events);
    }
    expect(parse(...text)).toEqual(events);
  });

  it('takes lines that end as in mail, too', () => {
    expect(parse(...text.replaceAll('\n', '\r\n'))).toEqual(events);
  });

  it('keeps back an event that is not complete, and one without data', () => {
    expect(parse('id: 1\ndata: half')).toEqual([]);
    expect(parse('id: 1\nevent: message\n\n')).toEqual([]);
  });
});
