import './gateway.css';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { chooseInstance, chosenInstance, instances } from '../state/gateways.ts';
import { isShown, type PageId } from '../state/pages.ts';
import { instancePlace } from '../ui/health-problems.ts';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { StateMark } from '../ui/state-mark.tsx';
import { type FollowedInstance, type FollowState, followedInstance } from './followed-instance.ts';

export const useInstance = (page: PageId): FollowedInstance | null => {
  const name = chosenInstance.value;
  const isInFront = isShown(page);
  const instance = name === null ? null : followedInstance(name);
  useEffect(() => (isInFront && instance ? instance.use() : undefined), [instance, isInFront]);
  return instance;
};

const remarks: Readonly<Record<FollowState, { state: string; label: string } | null>> = {
  waiting: { state: 'connecting', label: 'Connecting' },
  live: null,
  stale: { state: 'stale', label: 'Stale' },
  gone: { state: 'ended', label: 'Not loaded' },
};

const InstanceChoice = ({ name }: { readonly name: string | null }) => {
  const list = instances.value ?? [];
  const isGone = name !== null && !list.some(({ instance }) => instance === name);
  return (
    <label class="instance-choice">
      Instance{' '}
      <select
        data-testid="instance-choice"
        value={name ?? ''}
        onChange={(event) => chooseInstance(event.currentTarget.value)}
      >
        {name === null && <option value="">None loaded</option>}
        {list.map(({ instance }) => (
          <option key={instance} value={instance}>
            {instance}
          </option>
        ))}
        {isGone && <option value={name}>{name} · not loaded</option>}
      </select>
    </label>
  );
};

interface InstanceBarProps {
  readonly instance: FollowedInstance | null;
  readonly children?: ComponentChildren;
}

export const InstanceBar = ({ instance, children }: InstanceBarProps) => {
  const status = instance?.status.value;
  const remark = instance && remarks[instance.state];
  return (
    <div class="instance-bar">
      <InstanceChoice name={instance?.name ?? null} />
      {status && instance.state !== 'gone' && (
        <>
          <StateMark state={status.state} testId="instance-state" live />
          {status.health === 'ok' ? (
            <StateMark state="ok" testId="instance-health" />
          ) : (
            <a href={instancePlace(instance.name)} title="Show health details">
              <StateMark state={status.health} testId="instance-health" />
            </a>
          )}
        </>
      )}
      {remark && <StateMark {...remark} testId="instance-follow" live />}
      <span class="grow" />
      {children}
    </div>
  );
};

export const InstanceAbsence = ({ instance }: { readonly instance: FollowedInstance | null }) => {
  if (instance === null) {
    return (
      <Notice testId="no-instance">
        <p>No gateway instance is loaded.</p>
        <p>
          <a href="#instances">Load a project</a> to see its signals here.
        </p>
      </Notice>
    );
  }
  if (instance.state !== 'gone') {
    // A retry is announced in the bar above; a final error needs its reason.
    return instance.error?.isFinal ? (
      <ErrorNotice error={instance.error} tone="warn" testId="instance-refused" />
    ) : null;
  }
  return (
    <Notice tone="warn" testId="instance-gone">
      <p>
        {instance.status.value
          ? `${instance.name} was unloaded. Its last values are shown.`
          : `Instance ${instance.name} is not loaded.`}
      </p>
      <p>
        <a href="#instances">Load a project</a>, or select another instance. The page updates when
        an instance with this name is loaded.
      </p>
    </Notice>
  );
};
