import { InstanceAbsence, InstanceBar } from '../../gateway/instance-bar.tsx';
import { useInstance } from '../../gateway/use-instance.ts';

export const FaultsPage = () => {
  const instance = useInstance('faults');
  return (
    <div class="gateway-page">
      <InstanceBar instance={instance} />
      <InstanceAbsence instance={instance} />
    </div>
  );
};
