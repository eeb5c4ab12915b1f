const form = /^v?([0-9]{1,9}(?:\.[0-9]{1,9}){0,7})(?:-([0-9A-Za-z.-]{1,32}))?$/;

interface Version {
  readonly numbers: readonly number[];
  /** Set in a version that comes before the release of the same numbers. */
  readonly preview: string | undefined;
}

const versionOf = (text: string): Version | undefined => {
  const match = form.exec(text);
  if (!match) return undefined;
  return { numbers: (match[1] as string).split('.').map(Number), preview: match[2] };
};

/** Whether versions written like this can be put in order. */
export const isFirmwareVersion = (text: string): boolean => versionOf(text) !== undefined;

/** Negative if `a` is older than `b`, 0 if they are the same; undefined if nobody can tell. */
export const compareFirmwareVersions = (a: string, b: string): number | undefined => {
  const [left, right] = [versionOf(a), versionOf(b)];
  if (!left || !right) return undefined;
  const length = Math.max(left.numbers.length, right.numbers.length);
  for (let i = 0; i < length; i++) {
    const difference = (left.numbers[i] ?? 0) - (right.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  if (left.preview === right.preview) return 0;
  if (left.preview === undefined) return 1;
  if (right.preview === undefined) return -1;
  return left.preview < right.preview ? -1 : 1;
};
