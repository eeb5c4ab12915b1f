/**
 * Picks a name for each adapter from its candidates, best first. If several adapters share a
 * serial number, none of them gets it, so search order does not matter. The last candidate is
 * the name of the port or location. `taken` contains the names of adapters in use.
 */
export const chooseNames = (
  candidates: readonly (readonly string[])[],
  taken: ReadonlySet<string> = new Set(),
): readonly string[] => {
  const levels = candidates.map(() => 0);
  const nameOf = (index: number): string => candidates[index]?.[levels[index] as number] ?? '';
  for (;;) {
    const counts = new Map<string, number>();
    for (const index of levels.keys()) {
      counts.set(nameOf(index), (counts.get(nameOf(index)) ?? 0) + 1);
    }
    const sharing = [...levels.keys()].filter((index) => {
      const isShared = (counts.get(nameOf(index)) ?? 0) > 1 || taken.has(nameOf(index));
      return isShared && (levels[index] as number) + 1 < (candidates[index]?.length ?? 0);
    });
    if (sharing.length === 0) return candidates.map((_, index) => nameOf(index));
    for (const index of sharing) levels[index] = (levels[index] as number) + 1;
  }
};
