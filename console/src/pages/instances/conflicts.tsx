import type { ApiError } from '../../api/api-error.ts';

interface Conflict {
  readonly task: string;
  readonly owner: { readonly instance: string; readonly task: string };
}

const conflictsOf = (error: ApiError | null): readonly Conflict[] =>
  error?.code === 'output_conflict' && Array.isArray(error.details.conflicts)
    ? (error.details.conflicts as readonly Conflict[])
    : [];

const mostShown = 10;

/** Which tasks another instance sends already, where a start was refused for that. */
export const Conflicts = ({ error }: { readonly error: ApiError | null }) => {
  const conflicts = conflictsOf(error);
  if (conflicts.length === 0) return null;
  return (
    <ul class="conflicts" data-testid="conflicts">
      {conflicts.slice(0, mostShown).map(({ task, owner }) => (
        <li key={task}>
          Task {task} is sent by {owner.instance} already, as {owner.task}
        </li>
      ))}
    </ul>
  );
};
