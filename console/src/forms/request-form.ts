import { type ReadonlySignal, signal } from '@preact/signals';
import { ApiError } from '../api/api-error.ts';
import {
  type Answer,
  type CallArguments,
  type CallOptions,
  call,
  type Input,
  type OperationId,
} from '../api/client.ts';
import { type OpenApiDocument, openApi } from '../state/bench.ts';
import { type Problem, requestProblems } from './contract.ts';

export interface Submission<Id extends OperationId> {
  readonly body: unknown;
  /** The fields that can be seen, by their names in the contract; they get their own refusals. */
  readonly visible: readonly string[];
  /** What is wrong beyond what the contract can say. */
  readonly problems?: readonly Problem[];
  /** Parameters of the path. */
  readonly params?: Partial<Input<Id>>;
  readonly options?: CallOptions;
}

/** A form of one operation: what it refuses before anything is sent, and what came of sending it. */
export interface RequestForm<Id extends OperationId> {
  readonly isBusy: ReadonlySignal<boolean>;
  /** What went wrong that no field can show. */
  readonly error: ReadonlySignal<ApiError | null>;
  /** What is wrong with a field; null if nothing is. */
  problemOf(field: string): string | null;
  /** Says that a field was changed: what was wrong about it is not known any more. */
  touch(field: string): void;
  /** Checks the request and makes it. Null if it was refused, here or by the service. */
  submit(submission: Submission<Id>): Promise<Answer<Id> | null>;
  clear(): void;
}

/** Whether a refusal of that place concerns the field: the field itself, or something inside. */
const concerns = (place: string, field: string): boolean =>
  place === field || place.startsWith(`${field}.`) || place.startsWith(`${field}[`);

interface Ports<Id extends OperationId> {
  readonly document: () => Promise<OpenApiDocument | null>;
  readonly call: (id: Id, input: Input<Id>, options?: CallOptions) => Promise<Answer<Id>>;
}

const currentDocument = async (): Promise<OpenApiDocument | null> => {
  if (!openApi.data.peek()) await openApi.refresh();
  return openApi.data.peek();
};

const noContract = (): ApiError =>
  openApi.error.peek() ??
  new ApiError({ code: 'no_answer', message: 'The API description has not been loaded yet' });

const refusedBeforehand = ({ field, message }: Problem): ApiError =>
  new ApiError({
    code: 'invalid_argument',
    message: field === '' ? message : `${field}: ${message}`,
    details: { field },
  });

export const requestForm = <Id extends OperationId>(
  id: Id,
  ports: Ports<Id> = {
    document: currentDocument,
    call: (_, ...given) => call(id, ...(given as CallArguments<Id>)),
  },
): RequestForm<Id> => {
  const isBusy = signal(false);
  const error = signal<ApiError | null>(null);
  const problems = signal<readonly Problem[]>([]);

  const show = (found: readonly Problem[], visible: readonly string[]): void => {
    const isSeen = ({ field }: Problem): boolean => visible.some((name) => concerns(field, name));
    problems.value = found.filter(isSeen);
    const unseen = found.find((problem) => !isSeen(problem));
    error.value = unseen ? refusedBeforehand(unseen) : null;
  };
  const showRefusal = (refusal: ApiError, visible: readonly string[]): void => {
    const { field } = refusal;
    const isSeen = field !== null && visible.some((name) => concerns(field, name));
    // A wrong value speaks for itself at its field; any other code is shown with its next step.
    if (isSeen && refusal.code === 'invalid_argument') {
      problems.value = [{ field, message: refusal.message }];
    } else error.value = refusal;
  };
  const attempt = async ({
    body,
    visible,
    problems: own = [],
    params,
    options,
  }: Submission<Id>) => {
    const document = await ports.document();
    if (!document) {
      error.value = noContract();
      return null;
    }
    const found = [...own, ...requestProblems(document, id, body)];
    show(found, visible);
    if (found.length > 0) return null;
    try {
      return await ports.call(id, { ...params, ...(body as Input<Id>) }, options);
    } catch (thrown) {
      showRefusal(thrown as ApiError, visible);
      return null;
    }
  };
  return {
    isBusy,
    error,
    problemOf: (field) => problems.value.find((one) => concerns(one.field, field))?.message ?? null,
    touch: (field) => {
      const left = problems.peek().filter((one) => !concerns(one.field, field));
      if (left.length < problems.peek().length) problems.value = left;
    },
    submit: async (submission) => {
      if (isBusy.peek()) return null;
      isBusy.value = true;
      try {
        return await attempt(submission);
      } finally {
        isBusy.value = false;
      }
    },
    clear: () => {
      problems.value = [];
      error.value = null;
    },
  };
};
