/** One of the ways to name the endpoint, with the other rules. */
export const atPlace = (rest: object = {}): object => ({
  oneOf: [
    { required: ['network'], ...rest },
    { required: ['endpoint'], ...rest },
  ],
});

/** One of the ways to name items, with the other rules. */
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
