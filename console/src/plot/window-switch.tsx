import { useId } from 'preact/hooks';
import { windows } from './time-range.ts';
import { frozen, showLive, windowUs } from './view-state.ts';

/** How much time the plot shows; choosing one goes back to the latest samples. */
export const WindowSwitch = ({ testId }: { readonly testId: string }) => {
  const name = useId();
  return (
    <fieldset class="switch" data-testid={testId} aria-label="Time window">
      {windows.map(({ label, us }) => (
        <label key={us}>
          <input
            type="radio"
            name={name}
            checked={frozen.value === null && windowUs.value === us}
            onClick={() => showLive(us)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
};
