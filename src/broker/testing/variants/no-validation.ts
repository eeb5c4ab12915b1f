/** Trusts what was copied. */
export * from '../../reader-steps.ts';

export const intactAfterCopy = (): number => 0;
