import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { ErrorCode } from '../base/errors/table.ts';
import type { FilledArguments } from './defaults.ts';

/**
 * What an operation does: observe, act on the bench, or administer the service. Not a right of
 * callers.
 */
export type Permission = 'observe' | 'operate' | 'administer';

/** CLI process, client thread or bench thread. */
export type Thread = 'cli' | 'client' | 'bench';

/**
 * How the CLI uses the daemon: `none` never, `optional` answers without one, `required` fails
 * without one, `start` starts one.
 */
export type DaemonUse = 'none' | 'optional' | 'required' | 'start';

export interface ExecutionPolicy {
  readonly place: Thread;
  readonly daemon: DaemonUse;
  readonly streaming: boolean;
}

/** Dotted paths, by list if a result has several. */
export type Columns = readonly string[] | Readonly<Record<string, readonly string[]>>;

export interface CliShape {
  /** Words of the command, such as `web start`. */
  readonly words: readonly [string, ...string[]];
  /** Positional parameters. */
  readonly positionals?: readonly string[];
  /** Paths made absolute by the CLI. */
  readonly callerPaths?: readonly string[];
  /** Text columns of the list in a result; all by default. */
  readonly columns?: Columns;
  /** Parameters of the command line only: other spellings of the rest. */
  readonly only?: readonly string[];
  /** Parameters that the command itself uses, such as an input file; not sent. */
  readonly local?: readonly string[];
  /** Positionals that are options as well. */
  readonly alsoOptions?: readonly string[];
  /** Required on the command line only. */
  readonly needs?: readonly string[];
  /** Missing on the command line, which expresses it otherwise. */
  readonly except?: readonly string[];
  /** Option names that differ from their parameters. */
  readonly names?: Readonly<Record<string, string>>;
}

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface HttpBinding {
  readonly method: HttpMethod;
  /** `{name}` segments are parameters. */
  readonly path: string;
  readonly success: 101 | 200 | 201 | 202;
  /** Set if the answer is not JSON. */
  readonly mediaType?: string;
  /** Set for streams: their transport. */
  readonly transport?: StreamTransport;
  /** Records of server-sent events, by event name. */
  readonly events?: TObject;
  /** Schema name of the body in the OpenAPI document. */
  readonly bodyName?: string;
  /** Required over HTTP only. */
  readonly needs?: readonly string[];
  /**
   * JSON Schema keywords for the body as a whole, such as `oneOf`. Published only; the
   * operation refuses with a better message.
   */
  readonly bodyRule?: object;
  readonly bodyExamples?: BodyExamples;
}

/** Valid bodies, since a schema cannot say which fields go together. */
export interface BodyExamples {
  readonly short: Readonly<Record<string, unknown>>;
  /** As many fields as go together. */
  readonly full: Readonly<Record<string, unknown>>;
}

export const streamTransports = ['sse', 'websocket'] as const;
export type StreamTransport = (typeof streamTransports)[number];

/** Why an operation has no HTTP binding; published. */
export interface NoHttpBinding {
  readonly none: string;
}

export interface Operation<P extends TProperties = TProperties, R extends TSchema = TSchema> {
  readonly id: string;
  readonly category: string;
  readonly action: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: TObject<P>;
  readonly result: R;
  /** Arguments kept in the details of every failure. */
  readonly kept?: readonly string[];
  /** Errors beyond those of its face (`face-errors.ts`). */
  readonly errors: readonly ErrorCode[];
  /** Additional errors of the command. */
  readonly cliErrors?: readonly ErrorCode[];
  /** Errors of its job. */
  readonly jobErrors?: readonly ErrorCode[];
  readonly permission: Permission;
  readonly execution: ExecutionPolicy;
  /** The client thread prepares the arguments (`bindPreparation`) before forwarding them. */
  readonly prepared?: true;
  readonly cli: CliShape | null;
  readonly http: HttpBinding | NoHttpBinding;
  readonly examples: readonly string[];
}

interface Declaration<P extends TProperties, R extends TSchema>
  extends Omit<Operation<P, R>, 'category' | 'action' | 'parameters' | 'examples'> {
  readonly parameters?: P;
  readonly examples?: readonly string[];
}

/** Declares an operation. Its id is `category.action`, or one word. */
export const defineOperation = <R extends TSchema, P extends TProperties = Record<never, TSchema>>(
  declaration: Declaration<P, R>,
): Operation<P, R> => {
  const [category = declaration.id, action = ''] = declaration.id.split('.');
  const parameters = Type.Object(declaration.parameters ?? ({} as P), {
    additionalProperties: false,
  });
  return { examples: [], ...declaration, category, action, parameters };
};

/** Arguments of a handler, with defaults. */
export type ArgumentsOf<O> =
  O extends Operation<infer P extends TProperties, TSchema> ? FilledArguments<P> : never;

export type ResultOf<O> =
  O extends Operation<TProperties, infer R extends TSchema> ? Static<R> : never;

export const hasHttp = (http: Operation['http']): http is HttpBinding => 'method' in http;
