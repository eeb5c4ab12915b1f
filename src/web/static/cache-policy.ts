/** The part before the extension that a bundler makes out of the content: Vite's is eight long. */
const hashPart = /[-.]([A-Za-z0-9_-]{8}|[A-Za-z0-9_]{9,})\.[A-Za-z0-9]+$/;

/**
 * A word such as the `channels` of `list-channels.js` fits the pattern too, and caching it for a
 * year would pin an old console. So the part has to look random: digits beside capitals past the
 * first letter, as in base64 and base32, or a hexadecimal number with digits and letters. A hash
 * that happens not to is only revalidated.
 */
const looksRandom = (part: string): boolean =>
  /\d/.test(part) && (/.[A-Z]/.test(part) || /^(?=.*[a-f])[0-9a-f]+$/.test(part));

/** The Cache-Control of a file: for good if its name changes with its content, else revalidated. */
export const cacheControlOf = (file: string): string => {
  const part = file.endsWith('.html') ? undefined : hashPart.exec(file)?.[1];
  return part !== undefined && looksRandom(part)
    ? 'public, max-age=31536000, immutable'
    : 'no-cache';
};
