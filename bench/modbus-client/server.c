/* A libmodbus server with a process for each connection, on its own port, which it prints. */
#include <arpa/inet.h>
#include <modbus.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

static void serve(modbus_t *server, modbus_mapping_t *mapping) {
  uint8_t query[MODBUS_TCP_MAX_ADU_LENGTH];
  for (;;) {
    int received = modbus_receive(server, query);
    if (received < 0) return;
    if (received > 0 && modbus_reply(server, query, received, mapping) < 0) return;
  }
}

int main(void) {
  modbus_t *server = modbus_new_tcp("127.0.0.1", 0);
  modbus_mapping_t *mapping = modbus_mapping_new(0, 0, 100, 0);
  for (int i = 0; i < 100; i++) mapping->tab_registers[i] = 1000 + i;
  int listener = modbus_tcp_listen(server, 8);
  struct sockaddr_in address;
  socklen_t length = sizeof address;
  if (listener < 0 || getsockname(listener, (struct sockaddr *)&address, &length) < 0) return 1;
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  signal(SIGCHLD, SIG_IGN);
  while (modbus_tcp_accept(server, &listener) >= 0) {
    if (fork() == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      serve(server, mapping);
      return 0;
    }
    close(modbus_get_socket(server));
  }
  return 0;
}
