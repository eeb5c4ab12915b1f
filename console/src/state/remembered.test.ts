import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { rememberedJson, rememberedList } from './remembered.ts';

const stored = new Map<string, string>();
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, text: string) => {
    if (text.length > 40) throw new DOMException('', 'QuotaExceededError');
    stored.set(key, text);
  },
};

beforeEach(() => vi.stubGlobal('window', { localStorage: storage }));
afterEach(() => {
  vi.unstubAllGlobals();
  stored.clear();
});

const isNumber = (value: unknown): value is number => typeof value === 'number';

describe('what outlives a reload', () => {
  it.each(['{', 'null', '"x"', '{"a":1}'])(
    'is as if it had never been, where %s was left',
    (text) => {
      stored.set('key', text);
      expect(rememberedJson('key', 7, isNumber).get()).toBe(7);
      expect(rememberedList('key', { name: '' }).get()).toEqual([]);
    },
  );

  it('keeps what fits of a list', () => {
    stored.set('key', '[{"name":"a","more":1},{"name":2},null,{"name":"b"}]');
    const list = rememberedList('key', { name: '' });
    expect(list.get()).toEqual([{ name: 'a', more: 1 }, { name: 'b' }]);
  });

  it('lasts as long as the page where the storage is full', () => {
    const list = rememberedList('key', { name: '' });
    const long = [{ name: 'a'.repeat(40) }];
    list.set(long);
    expect(list.get()).toEqual(long);
    expect(stored.size).toBe(0);
  });
});
