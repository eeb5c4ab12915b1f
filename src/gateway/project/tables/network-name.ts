import { Type } from 'typebox';

/** A network of the bench. What it is bound to stands in the bench file alone. */
export const networkName = () =>
  Type.String({ description: 'Logical network of the bench', minLength: 1, maxLength: 128 });
