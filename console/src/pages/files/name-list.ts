/** The entries of a list that was typed into one field, with commas or blanks between them. */
export const namesIn = (text: string): readonly string[] =>
  text.split(/[\s,;]+/).filter((name) => name !== '');
