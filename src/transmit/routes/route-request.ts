import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { maxExtendedId, maxStandardId } from '../../frame/frame.ts';
import {
  givenIdentity,
  givenIdOfWidth,
  givenNumber,
  type RequestedId,
} from '../../frame/request-fields.ts';

export interface RouteSource {
  readonly channel: string;
  readonly id: RequestedId;
  readonly mask?: RequestedId;
  readonly extended?: boolean;
}

export interface RouteTarget {
  readonly channel: string;
  readonly id?: RequestedId;
}

export interface RouteRequest {
  readonly source: RouteSource;
  readonly target: RouteTarget;
  readonly offload?: boolean;
}

export interface RouteRule {
  readonly id: number;
  readonly mask: number;
  readonly extended: boolean;
  readonly targetId: number | undefined;
}

export interface RouteOptions {
  readonly source?: RouteSource;
  readonly target?: RouteTarget;
  readonly source_channel?: string;
  readonly source_id?: RequestedId;
  readonly source_mask?: RequestedId;
  readonly extended?: boolean;
  readonly target_channel?: string;
  readonly target_id?: RequestedId;
  readonly offload?: boolean;
}

const missing = (field: string) =>
  invalidArgument(field, `${field} is required`, { reason: 'missing' });

const checkExclusive = (whole: string, options: Readonly<Record<string, unknown>>): void => {
  const also = Object.keys(options).filter((name) => options[name] !== undefined);
  if (also.length === 0) return;
  throw invalidArgument(whole, `${whole} replaces ${also.join(', ')}: omit them`, {
    reason: 'exclusive',
    with: also,
  });
};

const sourceOf = (options: RouteOptions): RouteSource => {
  const { source, source_channel, source_id, source_mask, extended } = options;
  if (source) {
    checkExclusive('source', { source_channel, source_id, source_mask, extended });
    return source;
  }
  if (source_channel === undefined && source_id === undefined) throw missing('source');
  if (source_channel === undefined) throw missing('source_channel');
  if (source_id === undefined) throw missing('source_id');
  return {
    channel: source_channel,
    id: source_id,
    ...(source_mask !== undefined && { mask: source_mask }),
    ...(extended !== undefined && { extended }),
  };
};

const targetOf = ({ target, target_channel, target_id }: RouteOptions): RouteTarget => {
  if (target) {
    checkExclusive('target', { target_channel, target_id });
    return target;
  }
  if (target_channel === undefined) throw missing('target');
  return { channel: target_channel, ...(target_id !== undefined && { id: target_id }) };
};

export const routeRequest = (options: RouteOptions): RouteRequest => ({
  source: sourceOf(options),
  target: targetOf(options),
  ...(options.offload !== undefined && { offload: options.offload }),
});

/** `extended` applies to short identifiers at both ends. */
const targetIdOf = ({ source, target }: RouteRequest, extended: boolean): number | undefined => {
  if (target.id === undefined) return undefined;
  return source.extended === true
    ? givenNumber('target.id', target.id, maxExtendedId)
    : givenIdOfWidth('target.id', target.id, extended);
};

export const routeRule = (request: RouteRequest): RouteRule => {
  const { source } = request;
  const fields = { id: 'source.id', extended: 'source.extended' };
  const { id, extended } = givenIdentity(source.id, source.extended, fields);
  const limit = extended ? maxExtendedId : maxStandardId;
  return {
    id,
    mask: givenNumber('source.mask', source.mask ?? limit, limit),
    extended,
    targetId: targetIdOf(request, extended),
  };
};
