import { hasHttp, type Operation } from '../../operations/define.ts';
import { methodsOf } from '../../operations/http-parameters.ts';

interface PathEntry {
  readonly path: string;
  readonly segments: readonly string[];
  readonly methods: string[];
  /** For each segment, the words that are no names there; `validate` is no instance. */
  readonly reserved: readonly (readonly string[])[];
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

interface NameSchema {
  readonly 'x-reserved'?: readonly string[];
}

/** Words that the parameters of an operation cannot be, by the segments of its path. */
const reservedWords = ({ parameters }: Operation, path: string): (readonly string[])[] =>
  path.split('/').map((segment) => {
    const schema = parameters.properties[segment.slice(1, -1)] as NameSchema | undefined;
    return (isPlaceholder(segment) && schema?.['x-reserved']) || [];
  });

const fits = (entry: PathEntry, segments: readonly string[]): boolean =>
  entry.segments.length === segments.length &&
  entry.segments.every((expected, index) => {
    const actual = segments[index] ?? '';
    return isPlaceholder(expected) ? actual !== '' : expected === decoded(actual);
  });

const isReserved = ({ reserved }: PathEntry, segments: readonly string[]): boolean =>
  reserved.some((words, index) => words.includes(segments[index] ?? ''));

/** `/jobs/{job_id}` in the router's spelling, `/jobs/:job_id`. */
export const routerPath = (path: string): string => path.replaceAll(/\{([a-z_]+)\}/g, ':$1');

/** Which paths exist and what they take: for capabilities and to tell 405 from 404. */
export class RouteMap {
  readonly #entries = new Map<string, PathEntry>();

  constructor(operations: readonly Operation[]) {
    for (const operation of operations) {
      const { http } = operation;
      if (!hasHttp(http)) continue;
      const entry = this.#entries.get(http.path) ?? {
        path: http.path,
        segments: http.path.split('/'),
        methods: [],
        reserved: reservedWords(operation, http.path),
      };
      entry.methods.push(...methodsOf(http));
      this.#entries.set(http.path, entry);
    }
  }

  get resources(): { path: string; methods: string[] }[] {
    return [...this.#entries.values()].map(({ path, methods }) => ({ path, methods }));
  }

  /**
   * Whether a path that is spelt out takes no such method, though the router finds one with a
   * placeholder in its place.
   */
  forbids(method: string, pathname: string): boolean {
    return this.#entries.has(pathname) && !this.methodsAt(pathname).includes(method);
  }

  /**
   * Methods of the resource at a concrete path; empty where there is none. What is spelt out may be
   * a name as well, as `files` is: then both are there, each for its own methods.
   */
  methodsAt(pathname: string): readonly string[] {
    const segments = pathname.split('/');
    const spelt = this.#entries.get(pathname);
    const methods = new Set(spelt?.methods);
    for (const entry of this.#entries.values()) {
      if (entry === spelt || !fits(entry, segments)) continue;
      if (spelt && isReserved(entry, segments)) continue;
      for (const method of entry.methods) methods.add(method);
    }
    return [...methods];
  }

  /** The placeholder of a resource that something stands in for which is no percent-encoding. */
  flawedParameterAt(pathname: string): string | null {
    const segments = pathname.split('/');
    const at = segments.findIndex((segment) => !isEncoded(segment));
    const entry = [...this.#entries.values()].find((each) => fits(each, segments));
    const expected = entry?.segments[at];
    return expected !== undefined && isPlaceholder(expected) ? expected.slice(1, -1) : null;
  }
}
