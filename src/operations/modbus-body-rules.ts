/** One of the ways to name the place, in each of which the rest has to hold, too. */
export const atPlace = (rest: object = {}): object => ({
  oneOf: [
    { required: ['network'], ...rest },
    { required: ['endpoint'], ...rest },
  ],
});

/** One of the ways to name items, in each of which the rest has to hold, too. */
export const withItems = (rest: object = {}): object => ({
  oneOf: [
    { required: ['table', 'address'], ...rest },
    { required: ['reference'], ...rest },
  ],
});

/** Exactly one of the fields. */
export const oneOfFields = (...names: readonly string[]): object => ({
  oneOf: names.map((name) => ({ required: [name] })),
});
