import { describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { parseSelector, stableSelector } from './selector.ts';

const refusalOf = (text: string): BusbarError => {
  try {
    parseSelector(text);
  } catch (thrown) {
    return BusbarError.from(thrown);
  }
  throw new RangeError(`${JSON.stringify(text)} is taken`);
};

describe('parseSelector', () => {
  it.each([
    ['0', 0],
    ['7', 7],
    ['65535', 65_535],
    ['007', 7],
  ])('takes digits for a slot: %s', (text, slot) => {
    expect(parseSelector(text)).toEqual({ form: 'slot', slot });
  });

  it.each(['1234567890', '99999999999999999999999', '9'.repeat(400)])(
    'never takes a long number for a small slot or a word: %s',
    (text) => {
      const selector = parseSelector(text);
      expect(selector.form).toBe('slot');
      expect(selector).toMatchObject({ slot: Number(text) });
    },
  );

  it.each([
    ['SIM00001/0', 'SIM00001', 0],
    ['sim-0000-0001/15', 'sim-0000-0001', 15],
    ['12345/1', '12345', 1],
    ['a.b:c/1000', 'a.b:c', 1000],
  ])('takes a slash for a device and its port: %s', (text, device, port) => {
    expect(parseSelector(text)).toEqual({ form: 'port', device, port });
  });

  it.each(['engine', 'CAN-1', '1a', 'größe', '-1', '1.5', '__proto__'])(
    'takes everything else for a word: %s',
    (word) => {
      expect(parseSelector(word)).toEqual({ form: 'word', word });
    },
  );

  it.each([
    ['/'],
    ['/0'],
    ['SIM00001/'],
    ['SIM00001/x'],
    ['SIM00001/-1'],
    ['SIM00001/1.0'],
    ['SIM00001/0/1'],
    ['SIM 1/0'],
    ['SIM00001/ 0'],
    [''],
    [' '],
    [' 0'],
    ['0\n'],
    ['two words'],
    ['tab\tbed'],
    ['nul\u0000'],
    ['esc\u001b[31m'],
    ['wide\u3000blank'],
  ])('refuses %j and keeps what was submitted', (text) => {
    const { code, message, details } = refusalOf(text);
    expect(code).toBe('invalid_channel_selector');
    const kind = text.includes('/') ? 'serial' : 'name';
    expect(details).toEqual({ field: 'channel', channel: text, selector_kind: kind });
    expect(message).not.toMatch(/\p{Cc}/u);
  });

  it('reads back a stable selector', () => {
    expect(parseSelector(stableSelector('A1', 3))).toEqual({ form: 'port', device: 'A1', port: 3 });
  });
});
