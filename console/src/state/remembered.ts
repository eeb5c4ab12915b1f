/** Browsers can forbid storage altogether; reading the property throws then. */
const open = (name: 'sessionStorage' | 'localStorage'): Storage | null => {
  try {
    return window[name];
  } catch {
    return null;
  }
};

export interface Remembered {
  get(): string | null;
  set(text: string): void;
  forget(): void;
}

/** A text that outlives a reload where the browser lets it, and lasts as long as the page if not. */
export const remembered = (
  storageName: 'sessionStorage' | 'localStorage',
  key: string,
): Remembered => {
  const storage = open(storageName);
  let value = storage?.getItem(key) ?? null;
  return {
    get: () => value,
    set: (text) => {
      value = text;
      storage?.setItem(key, text);
    },
    forget: () => {
      value = null;
      storage?.removeItem(key);
    },
  };
};

/** The access token, for this tab alone: it is gone when the tab is closed. */
export const rememberedToken = remembered('sessionStorage', 'busbar.token');

/** Something structured that a reload should not lose, such as column widths. */
export const rememberedJson = <T>(key: string, fallback: T): { get(): T; set(value: T): void } => {
  const text = remembered('localStorage', key);
  return {
    get: () => {
      try {
        return (JSON.parse(text.get() ?? 'null') as T | null) ?? fallback;
      } catch {
        return fallback;
      }
    },
    set: (value) => text.set(JSON.stringify(value)),
  };
};
