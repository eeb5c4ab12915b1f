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
  readonly visible: readonly string[];
  readonly problems?: readonly Problem[];
  readonly params?: Partial<Input<Id>>;
  readonly options?: CallOptions;
}

/** Form of one operation: checks the request, sends it and stores its errors. */
export interface RequestForm<Id extends OperationId> {
  readonly isBusy: ReadonlySignal<boolean>;
  readonly error: ReadonlySignal<ApiError | null>;
  problemOf(field: string): string | null;
  touch(field: string): void;
  submit(submission: Submission<Id>): Promise<Answer<Id> | null>;
  clear(): void;
}

const concerns = (place: string, field: string): boolean =>
  place === field || place.startsWith(`${field}.`) || place.startsWith(`${field}[`);

/** Refusals that a field explains; any other one is shown with advice. */
const fieldCodes = [
  'invalid_argument',
  'message_not_found',
  'signal_not_found',
  'signal_not_writable',
  'ambiguous_message',
];

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
    if (isSeen && fieldCodes.includes(refusal.code)) {
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
