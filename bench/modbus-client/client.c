/*
 * Reads ten registers with libmodbus: for each line of input so many times, then prints the rate.
 * Usage: client <port> <requests>
 */
#include <modbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  modbus_t *client = modbus_new_tcp("127.0.0.1", atoi(arguments[1]));
  int requests = atoi(arguments[2]);
  uint16_t registers[10];
  char line[16];
  modbus_set_slave(client, 1);
  /* A busy machine is not an error. */
  modbus_set_response_timeout(client, 5, 0);
  if (modbus_connect(client) < 0) return 1;
  while (fgets(line, sizeof line, stdin)) {
    double start = seconds();
    for (int i = 0; i < requests; i++) {
      if (modbus_read_registers(client, 0, 10, registers) != 10) return 1;
      if (registers[9] != 1009) return 1;
    }
    printf("%f\n", requests / (seconds() - start));
    fflush(stdout);
  }
  return 0;
}
