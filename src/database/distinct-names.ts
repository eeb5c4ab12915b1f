/**
 * Makes names unique: the first keeps its name, later ones become `Name#2`, `Name#3` and so on.
 * Names that occur in the file are skipped.
 */
export const distinctNames = (names: readonly string[]): readonly string[] => {
  const given = new Set(names);
  if (given.size === names.length) return names;
  const taken = new Set<string>();
  const nextCounts = new Map<string, number>();
  const make = (name: string): string => {
    let count = nextCounts.get(name) ?? 2;
    while (given.has(`${name}#${count}`)) count += 1;
    nextCounts.set(name, count + 1);
    return `${name}#${count}`;
  };
  return names.map((name) => {
    if (taken.has(name)) return make(name);
    taken.add(name);
    return name;
  });
};
