import { InstanceAbsence, InstanceBar } from '../../gateway/instance-bar.tsx';
import { useInstance } from '../../gateway/use-instance.ts';

export const GatewaySignalsPage = () => {
  const instance = useInstance('gateway-signals');
  return (
    <div class="gateway-page">
      <InstanceBar instance={instance} />
      <InstanceAbsence instance={instance} />
    </div>
  );
};
