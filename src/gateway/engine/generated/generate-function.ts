export type Constants = Readonly<Record<string, unknown>>;

let count = 0;

/**
 * Creates a function from source text. V8 embeds the constants it closes over in its machine
 * code, but only if no other function has the same text. A number in the text makes it unique.
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
