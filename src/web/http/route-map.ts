import { hasHttp, type Operation } from '../../operations/define.ts';
import { methodsOf } from '../../operations/http-parameters.ts';

interface PathEntry {
  readonly path: string;
  readonly segments: readonly string[];
  readonly methods: string[];
}

/** A segment as the router reads it. */
const decoded = (segment: string): string => {
  try {
    return decodeURI(segment);
  } catch {
    return segment;
  }
};

const isEncoded = (segment: string): boolean => {
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
};

const isPlaceholder = (segment: string): boolean => segment.startsWith('{');

/** `/jobs/{job_id}` in the router's spelling, `/jobs/:job_id`. */
export const routerPath = (path: string): string => path.replaceAll(/\{([a-z_]+)\}/g, ':$1');

/** Which paths exist and what they take: for capabilities and to tell 405 from 404. */
export class RouteMap {
  readonly #entries = new Map<string, PathEntry>();
  /** Fixed words come before placeholders in their positions. */
  readonly #byPlaceholders: readonly PathEntry[];

  constructor(operations: readonly Operation[]) {
    for (const { http } of operations) {
      if (!hasHttp(http)) continue;
      const entry = this.#entries.get(http.path) ?? {
        path: http.path,
        segments: http.path.split('/'),
        methods: [],
      };
      entry.methods.push(...methodsOf(http));
      this.#entries.set(http.path, entry);
    }
    const placeholders = ({ segments }: PathEntry) => segments.filter(isPlaceholder).length;
    this.#byPlaceholders = [...this.#entries.values()].sort(
      (one, other) => placeholders(one) - placeholders(other),
    );
  }

  get resources(): { path: string; methods: string[] }[] {
    return [...this.#entries.values()].map(({ path, methods }) => ({ path, methods }));
  }

  /**
   * Whether a path with a fixed word takes no such method, though one with a placeholder in its place
   * would: `validate` is no name.
   */
  forbids(method: string, pathname: string): boolean {
    const entry = this.#entryAt(pathname);
    return entry !== undefined && !entry.methods.includes(method);
  }

  /** Methods of the resource at a concrete path; empty where there is none. */
  methodsAt(pathname: string): readonly string[] {
    return this.#entryAt(pathname)?.methods ?? [];
  }

  /** The path template that a request for a concrete path matches; null where none does. */
  patternOf(method: string, pathname: string): string | null {
    const entry = this.#entryAt(pathname);
    return entry?.methods.includes(method) ? entry.path : null;
  }

  /** The placeholder of a resource that something stands in for which is no percent-encoding. */
  flawedParameterAt(pathname: string): string | null {
    const entry = this.#entryAt(pathname);
    const at = pathname.split('/').findIndex((segment) => !isEncoded(segment));
    const expected = entry?.segments[at];
    return expected !== undefined && isPlaceholder(expected) ? expected.slice(1, -1) : null;
  }

  #entryAt(pathname: string): PathEntry | undefined {
    const segments = pathname.split('/');
    return this.#byPlaceholders.find(
      (entry) =>
        entry.segments.length === segments.length &&
        entry.segments.every((expected, index) => {
          const actual = segments[index] ?? '';
          return isPlaceholder(expected) ? actual !== '' : expected === decoded(actual);
        }),
    );
  }
}
