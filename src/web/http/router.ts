import { BusbarError, withField } from '../../base/errors/busbar-error.ts';
import { type HttpBinding, hasHttp, type Operation } from '../../operations/define.ts';
import { methodsOf } from '../../operations/http-parameters.ts';

export interface Route {
  readonly operation: Operation;
  readonly http: HttpBinding;
  readonly params: Readonly<Record<string, string>>;
}

export interface Match {
  readonly route: Route | null;
  readonly refusal: BusbarError | null;
}

interface Resource {
  readonly path: string;
  readonly segments: readonly string[];
  readonly methods: string[];
  readonly operations: Map<string, { readonly operation: Operation; readonly http: HttpBinding }>;
}

const fileMethods = ['GET', 'HEAD'];

/** Longer than any parameter that an operation accepts. */
const maxParameter = 4096;

const protectedPath = /^\/+(?:api|metrics)(?:\/|$)/i;

const isPlaceholder = (segment: string): boolean => segment.startsWith('{');

const decodedWith = (decode: (text: string) => string, text: string): string | null => {
  try {
    return decode(text);
  } catch {
    return null;
  }
};

/**
 * True if the path belongs to the protected resources, decoded, ignoring case and repeated slashes.
 */
export const isProtectedPath = (pathname: string): boolean =>
  protectedPath.test(decodedWith(decodeURIComponent, pathname) ?? pathname);

const refuse = (refusal: BusbarError): Match => ({ route: null, refusal });

const notAllowed = (allow: readonly string[]): Match =>
  refuse(new BusbarError('method_not_allowed', { details: { allow } }));

export class Router {
  readonly #resources = new Map<string, Resource>();
  /** A fixed word takes precedence over a placeholder at the same position. */
  readonly #byPlaceholders: readonly Resource[];

  constructor(operations: readonly Operation[]) {
    for (const operation of operations) {
      const { http } = operation;
      if (!hasHttp(http)) continue;
      const { path } = http;
      const resource: Resource = this.#resources.get(path) ?? {
        path,
        segments: path.split('/'),
        methods: [],
        operations: new Map(),
      };
      this.#resources.set(path, resource);
      for (const method of methodsOf(http)) {
        resource.methods.push(method);
        resource.operations.set(method, { operation, http });
      }
    }
    const placeholders = ({ segments }: Resource) => segments.filter(isPlaceholder).length;
    this.#byPlaceholders = [...this.#resources.values()].sort(
      (one, other) => placeholders(one) - placeholders(other),
    );
  }

  get resources(): { path: string; methods: string[] }[] {
    return [...this.#resources.values()].map(({ path, methods }) => ({ path, methods }));
  }

  match(method: string, pathname: string): Match {
    const segments = pathname.split('/');
    const resource = this.#find(segments);
    const named = resource && !lacksName(resource, segments) ? resource : null;
    const error = segments.findIndex((text) => decodedWith(decodeURIComponent, text) === null);
    if (error !== -1) return refuse(invalidPath(named?.segments[error]));
    const bound = resource?.operations.get(method);
    if (bound && resource) {
      const params = parametersOf(resource, segments);
      const isTooLong = Object.values(params).some(({ length }) => length > maxParameter);
      return isTooLong
        ? refuse(new BusbarError('endpoint_not_found'))
        : { route: { ...bound, params }, refusal: null };
    }
    if (named) return notAllowed(named.methods);
    if (isProtectedPath(pathname)) return refuse(new BusbarError('endpoint_not_found'));
    return fileMethods.includes(method) ? { route: null, refusal: null } : notAllowed(fileMethods);
  }

  methodsAt(pathname: string): readonly string[] {
    const segments = pathname.split('/');
    const resource = this.#find(segments);
    return resource && !lacksName(resource, segments) ? resource.methods : [];
  }

  #find(segments: readonly string[]): Resource | undefined {
    return this.#byPlaceholders.find(
      ({ segments: template }) =>
        template.length === segments.length &&
        template.every((expected, index) => {
          const actual = segments[index] as string;
          if (isPlaceholder(expected) || expected === actual) return true;
          return actual.includes('%') && expected === decodedWith(decodeURI, actual);
        }),
    );
  }
}

const lacksName = ({ segments }: Resource, actual: readonly string[]): boolean =>
  segments.some((expected, index) => isPlaceholder(expected) && actual[index] === '');

const invalidPath = (expected: string | undefined): BusbarError => {
  const error = new BusbarError('invalid_argument', {
    message: 'The path has invalid percent-encoding',
  });
  return expected !== undefined && isPlaceholder(expected)
    ? withField(expected.slice(1, -1), error)
    : error;
};

const parametersOf = (
  { segments }: Resource,
  actual: readonly string[],
): Record<string, string> => {
  const params: Record<string, string> = {};
  segments.forEach((expected, index) => {
    if (isPlaceholder(expected)) {
      params[expected.slice(1, -1)] = decodeURIComponent(actual[index] as string);
    }
  });
  return params;
};
