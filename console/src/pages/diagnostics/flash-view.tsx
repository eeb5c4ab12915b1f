export const FlashView = ({ ecu }: { readonly ecu: string }) => <p class="empty">{ecu}</p>;
