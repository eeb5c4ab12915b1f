import { describe, expect, it } from 'vitest';
import { salvageFields } from './salvage-fields.ts';

describe('salvageFields', () => {
  it.each([
    ['{"channel":"t","id":01}', 't'],
    ['{"channel":"t","id":1}x', 't'],
    ['{"channel":"t","id":1,}', 't'],
    ['{"id":01,"channel":"t"}', 't'],
    ['{"channel":"t","data":"00', 't'],
    ['{ "channel" : 3 , "id" }', 3],
    ['{"channel":"a\\"b\\u0041","id":', 'a"bA'],
    ['{"frames":[{"channel":"no"}],"x":{"channel":"no"},"channel":"t",,}', 't'],
    ['{"a":"\\"channel\\":\\"no\\"","channel":"t",}', 't'],
    ['{"channel":"t","channel":"u",}', 't'],
    ['\uFEFF{"channel":"t",}', 't'],
  ])('finds in %j what it says of its channel', (text, channel) => {
    expect(salvageFields(text, ['channel'])).toEqual({ channel });
  });

  it.each([
    '',
    '{',
    '"channel"',
    '{"channel"',
    '{"channel":',
    '{"channel":"t',
    '{"channel":tt,}',
    '\\',
  ])('finds nothing in %j', (text) => {
    expect(salvageFields(text, ['channel'])).toEqual({});
  });

  it('reads long broken texts once: a search back for each piece would never end', () => {
    for (const piece of ['"\\"', '{"', '\\', '[', '"a":', '" ']) {
      expect(salvageFields(piece.repeat(200_000), ['channel'])).toEqual({});
    }
  });
});
