import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { rememberedJson, rememberedList } from './remembered.ts';

const aStorage = (stored: Map<string, string>) => ({
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, text: string) => {
    if (text.length > 40) throw new DOMException('', 'QuotaExceededError');
    stored.set(key, text);
  },
});

let stored: Map<string, string>;

const openTab = (own = new Map<string, string>()): void => {
  vi.stubGlobal('window', { localStorage: aStorage(stored), sessionStorage: aStorage(own) });
};

beforeEach(() => {
  stored = new Map();
  openTab();
});
afterEach(() => vi.unstubAllGlobals());

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

  it('is that of the tab, and of whichever tab was last for a new one', () => {
    const own = new Map<string, string>();
    openTab(own);
    rememberedJson('key', 0, isNumber).set(1);
    openTab();
    expect(rememberedJson('key', 0, isNumber).get()).toBe(1);
    rememberedJson('key', 0, isNumber).set(2);
    openTab(own);
    expect(rememberedJson('key', 0, isNumber).get()).toBe(1);
  });

  it('lasts as long as the page where the storage is full', () => {
    const list = rememberedList('key', { name: '' });
    const long = [{ name: 'a'.repeat(40) }];
    list.set(long);
    expect(list.get()).toEqual(long);
    expect(stored.size).toBe(0);
  });
});
