export const ModbusPage = () => <div class="modbus-page" />;
