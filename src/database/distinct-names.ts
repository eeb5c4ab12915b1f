/**
 * Makes names unique: the first keeps its name, later ones become `Name#2`, `Name#3` and so on.
 * Names that occur in the file are skipped.
 */
export const distinctNames = (names: readonly string[]): readonly string[] => {
  if (names.length < 2) return names;
  const given = new Set(names);
  if (given.size === names.length) return names;
  const taken = new Set<string>();
  const nextCounts = new Map<string, number>();
  const make = (name: string): string => {
    for (let count = nextCounts.get(name) ?? 2; ; count += 1) {
      const made = `${name}#${count}`;
      if (given.has(made)) continue;
      nextCounts.set(name, count + 1);
      return made;
    }
  };
  return names.map((name) => {
    if (taken.has(name)) return make(name);
    taken.add(name);
    return name;
  });
};
