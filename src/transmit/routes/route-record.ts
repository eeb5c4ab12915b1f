import { type Static, Type } from 'typebox';
import { counted, named, nullable } from '../../base/schema/schemas.ts';
import {
  createdAtField,
  lastErrorField,
  offloadedField,
  SelectedChannel,
} from '../record-fields.ts';

export const RouteRecord = named(
  'Route',
  Type.Object({
    route_id: Type.String(),
    source: Type.Object({
      ...SelectedChannel.properties,
      id: Type.Integer({ minimum: 0 }),
      mask: Type.Integer({ minimum: 0 }),
      extended: Type.Boolean(),
    }),
    target: Type.Object({
      ...SelectedChannel.properties,
      id: nullable(Type.Integer({ minimum: 0 }), {
        description: 'null where frames keep their own',
      }),
      extended: Type.Boolean({ description: 'Whether its frames have 29 bits, as in the source' }),
    }),
    offloaded: offloadedField,
    matched: counted('Frames received that were to be passed on'),
    sent: counted('Frames that the target has sent; if offloaded, those that it took'),
    failed: counted('Frames that it did not take, and frames that were given up after that'),
    last_error: lastErrorField,
    created_at_us: createdAtField,
  }),
);
export type RouteRecord = Static<typeof RouteRecord>;
