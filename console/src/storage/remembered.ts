/** Reading the property throws if the browser forbids storage. */
const open = (name: 'sessionStorage' | 'localStorage'): Storage | null => {
  try {
    return window[name];
  } catch {
    return null;
  }
};

interface StoredValue {
  get(): string | null;
  set(text: string): void;
  forget(): void;
}

/** A string that survives a reload if the browser allows storage. */
export const remembered = (
  storageName: 'sessionStorage' | 'localStorage',
  key: string,
): StoredValue => {
  const storage = open(storageName);
  let value = storage?.getItem(key) ?? null;
  return {
    get: () => value,
    set: (text) => {
      value = text;
      try {
        storage?.setItem(key, text);
      } catch {
        // Storage is full: the value is kept until the page is closed.
      }
    },
    forget: () => {
      value = null;
      storage?.removeItem(key);
    },
  };
};

export const rememberedToken = remembered('sessionStorage', 'busbar.token');

/** Workers have no storage, so each request contains the token of the page. */
export const useToken = (token: string | null): void => {
  if (token === null) rememberedToken.forget();
  else rememberedToken.set(token);
};

/** A string per tab; a new tab starts with the last value of any tab. */
const rememberedInTab = (key: string): Pick<StoredValue, 'get' | 'set'> => {
  const own = remembered('sessionStorage', key);
  const last = remembered('localStorage', key);
  return {
    get: () => own.get() ?? last.get(),
    set: (text) => {
      own.set(text);
      last.set(text);
    },
  };
};

/** Returns whether a value has at least the fields of an example, each of the same type. */
export const isLike = <T extends object>(value: unknown, example: T): value is T => {
  if (typeof value !== 'object' || value === null) return false;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  return Object.entries(example).every(([name, part]) =>
    typeof part === 'object' && part !== null
      ? isLike(fields[name], part)
      : typeof fields[name] === typeof part,
  );
};

/**
 * A JSON value that survives a reload. Invalid values, such as those of another console
 * version, are ignored.
 */
export const rememberedJson = <T>(
  key: string,
  fallback: T,
  isFit: (value: unknown) => value is T,
  text: Pick<StoredValue, 'get' | 'set'> = rememberedInTab(key),
): { get(): T; set(value: T): void } => {
  return {
    get: () => {
      try {
        const value: unknown = JSON.parse(text.get() ?? 'null');
        return isFit(value) ? value : fallback;
      } catch {
        return fallback;
      }
    },
    set: (value) => text.set(JSON.stringify(value)),
  };
};

export const rememberedList = <T extends object>(key: string, example: T) => {
  const isList = (value: unknown): value is readonly T[] => Array.isArray(value);
  const { get, set } = rememberedJson<readonly T[]>(key, [], isList);
  return { get: () => get().filter((each) => isLike(each, example)), set };
};
