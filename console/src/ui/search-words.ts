export const wordsOf = (query: string): readonly string[] =>
  query.toLowerCase().split(/\s+/).filter(Boolean);

export const hasWords = (text: string, words: readonly string[]): boolean => {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
};
