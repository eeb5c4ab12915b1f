export type Constants = Readonly<Record<string, unknown>>;

let count = 0;

/**
 * A function of its own text. What it closes over is constant to it: V8 puts addresses and numbers into its code
 * where other code has to look them up. That is so only if no other function has the same text, whence its number.
 */
export const generateFunction = <Generated>(
  parameters: string,
  body: string,
  constants: Constants,
): Generated => {
  count += 1;
  const source = `'use strict';\nreturn function generated${count}(${parameters}) {\n${body}\n};`;
  const make = new Function(...Object.keys(constants), source);
  return make(...Object.values(constants));
};
