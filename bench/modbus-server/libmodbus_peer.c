/* libmodbus as a server of one connection at a time. Prints its port; ends when it is killed. */
#include <arpa/inet.h>
#include <modbus/modbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int values = argc > 1 ? atoi(argv[1]) : 1;
    modbus_t *context = modbus_new_tcp("127.0.0.1", 0);
    modbus_mapping_t *mapping = modbus_mapping_new(0, 0, values, 0);
    if (context == NULL || mapping == NULL) return 1;
    for (int i = 0; i < values; i++) mapping->tab_registers[i] = i + 1;

    int listener = modbus_tcp_listen(context, 1);
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    if (listener < 0 || getsockname(listener, (struct sockaddr *) &address, &length) != 0) return 1;
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    for (;;) {
        uint8_t request[MODBUS_TCP_MAX_ADU_LENGTH];
        int received;
        if (modbus_tcp_accept(context, &listener) < 0) return 1;
        while ((received = modbus_receive(context, request)) >= 0) {
            if (received > 0) modbus_reply(context, request, received, mapping);
        }
        modbus_close(context);
    }
}
