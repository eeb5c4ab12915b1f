/** A LIN version as a number to compare: 21 is 2.1. */
export type LinVersion = number;

export const newestVersion: LinVersion = 22;

const forms: readonly (readonly [RegExp, (match: RegExpExecArray) => LinVersion])[] = [
  [/^([12])\.(\d)$/, ([, major, minor]) => Number(major) * 10 + Number(minor)],
  // ISO 17987 continues LIN 2.2.
  [/^ISO17987:\d{4}$/, () => newestVersion],
  // J2602 is based on LIN 2.0.
  [/^J2602_\d+_\d+\.\d+$/, () => 20],
];

/** Returns null for a version that is not known. */
export const versionOf = (text: string): LinVersion | null => {
  for (const [form, read] of forms) {
    const match = form.exec(text);
    if (match !== null) return read(match);
  }
  return null;
};
