import type { Problem } from '../../../src/gateway/project/problems.ts';
import type { TableSchema } from './row-schema.ts';

export interface ValidateRequest {
  readonly revision: number;
  readonly text: string;
}

export type ValidatorAnswer =
  | { readonly kind: 'tables'; readonly tables: readonly TableSchema[] }
  | {
      readonly kind: 'problems';
      readonly revision: number;
      readonly problems: readonly Problem[];
      /** More than are listed if there are too many. */
      readonly total: number;
    };
