/** Browsers can forbid storage altogether; reading the property throws then. */
const open = (name) => {
  try {
    return window[name];
  } catch {
    return null;
  }
};

/** A text that outlives a reload where the browser lets it, and lasts as long as the page if not. */
const remembered = (storageName, key) => {
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

export const rememberedTheme = remembered('localStorage', 'busbar.theme');
