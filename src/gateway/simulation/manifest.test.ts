import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { maxMessages, readManifest } from './manifest.ts';

const message = { id: 0x123, extended: false, data: 'DE AD', period_ms: 10 };
const sound = { manifest: 1, name: 'restbus', channel: 'powertrain', messages: [message] };

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (document: unknown) => readManifest(bytesOf(JSON.stringify(document)));

/** Paths and codes of the problems in a text. */
const problemsOf = (text: string): string[] => {
  try {
    readManifest(bytesOf(text), 'a.json');
  } catch (thrown) {
    const { code, details } = BusbarError.from(thrown);
    expect(code).toBe('invalid_project');
    expect(details).toMatchObject({ file: 'a.json' });
    const { problems, total } = details as {
      problems: { table: string | null; index: number | null; field: string; code: string }[];
      total: number;
    };
    expect(total).toBe(problems.length);
    return problems.map(({ table, index, field, code: kind }) =>
      table === null ? `${field} ${kind}` : `${table}[${index}].${field} ${kind}`,
    );
  }
  return [];
};
const problems = (document: unknown): string[] => problemsOf(JSON.stringify(document));

describe('readManifest', () => {
  it('takes a manifest with its defaults filled in', () => {
    expect(read(sound)).toEqual(sound);
    const { extended: _, ...short } = message;
    expect(read({ ...sound, messages: [short] })).toEqual(sound);
  });

  it('tells standard and extended messages of one number apart', () => {
    const messages = [message, { ...message, extended: true }];
    expect(read({ ...sound, messages }).messages).toHaveLength(2);
  });

  it('reports every problem at once, with its field', () => {
    expect(
      problems({
        manifest: 2,
        name: 'a b',
        extra: 1,
        messages: [
          { ...message, id: 0x800 },
          { ...message, data: 'ABC', period_ms: 0 },
          { ...message, id: -1, extended: 'no' },
          message,
          message,
          7,
        ],
      }).sort(),
    ).toEqual(
      [
        'manifest out_of_range',
        'name invalid_text',
        'channel missing_field',
        'extra unknown_field',
        'messages[0].id out_of_range',
        'messages[1].data invalid_text',
        'messages[1].period_ms out_of_range',
        'messages[2].id out_of_range',
        'messages[2].extended wrong_type',
        'messages[4].id duplicate_message',
        'messages[5]. wrong_type',
      ].sort(),
    );
  });

  it.each([
    ['no messages', { ...sound, messages: undefined }, 'messages missing_field'],
    ['an empty list', { ...sound, messages: [] }, 'messages out_of_range'],
    ['messages that are no list', { ...sound, messages: {} }, 'messages wrong_type'],
    [
      'too many messages',
      { ...sound, messages: Array.from({ length: maxMessages + 1 }, () => message) },
      'messages out_of_range',
    ],
    ['a name that the API needs', { ...sound, name: 'validate' }, 'name invalid_text'],
    ['the name of the file list', { ...sound, name: 'files' }, 'name invalid_text'],
    [
      'nine bytes',
      { ...sound, messages: [{ ...message, data: '00'.repeat(9) }] },
      'messages[0].data invalid_text',
    ],
    [
      'a period of more than an hour',
      { ...sound, messages: [{ ...message, period_ms: 3_600_001 }] },
      'messages[0].period_ms out_of_range',
    ],
    ['a list', [], ' wrong_type'],
  ])('refuses %s', (_, document, problem) => {
    expect(problems(document)).toEqual([problem]);
  });

  it('refuses keys that are given twice, however escaped, and what is no JSON', () => {
    const text = JSON.stringify(sound);
    expect(problemsOf(text.replace('"name"', '"n\\u0061me":"x","name"'))).toEqual([
      'name duplicate_key',
    ]);
    expect(problemsOf(text.replace('"data"', '"data":"","data"'))).toEqual([
      'messages[0].data duplicate_key',
    ]);
    expect(problemsOf(`${text}x`)).toEqual([expect.stringContaining('invalid_json')]);
  });
});
