/** Words of a search text, in lower case. */
export const wordsOf = (query: string): readonly string[] =>
  query.toLowerCase().split(/\s+/).filter(Boolean);

/** Whether a text contains every word, in any case. */
export const hasWords = (text: string, words: readonly string[]): boolean => {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
};
