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
        description: 'null if frames keep their identifier',
      }),
      extended: Type.Boolean({ description: 'Whether the identifiers are 29-bit' }),
    }),
    offloaded: offloadedField,
    matched: counted('Received frames to forward'),
    sent: counted('Frames sent by the target; if offloaded, accepted by it'),
    failed: counted('Frames rejected by the target, or abandoned later'),
    last_error: lastErrorField,
    created_at_us: createdAtField,
  }),
);
export type RouteRecord = Static<typeof RouteRecord>;
