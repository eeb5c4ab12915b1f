/*
 * Reads holding registers as fast as the server answers, with several requests in flight, and checks every
 * response by its transaction id. Prints requests per second. With windows, the requests cycle through that many
 * consecutive register ranges with any values.
 * Usage: load <port> <requests in flight> <registers> <milliseconds> [<windows>]
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { REQUEST = 12, MOST = 64 };

static char is_awaited[65536];
static int windows;

static double now_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void fail(const char *what) {
    fprintf(stderr, "load: %s\n", what);
    exit(1);
}

static void ask(int line, int count, uint16_t *transaction, int registers) {
    uint8_t bytes[MOST * REQUEST];
    for (int i = 0; i < count; i++) {
        int address = windows > 0 ? *transaction % windows * registers : 0;
        const uint8_t request[REQUEST] = {*transaction >> 8, *transaction & 0xff, 0, 0, 0, 6, 1, 3,
                                          address >> 8, address & 0xff, registers >> 8, registers & 0xff};
        memcpy(bytes + i * REQUEST, request, REQUEST);
        is_awaited[*transaction] = 1;
        *transaction += 1;
    }
    if (send(line, bytes, count * REQUEST, MSG_NOSIGNAL) != count * REQUEST) fail("send");
}

static void check(const uint8_t *answer, int registers) {
    const uint8_t head[7] = {0, 0, 0, 3 + 2 * registers, 1, 3, 2 * registers};
    uint16_t transaction = answer[0] << 8 | answer[1];
    if (memcmp(answer + 2, head, sizeof head) != 0) fail("another answer than expected");
    if (!is_awaited[transaction]) fail("an answer to nothing that was asked");
    is_awaited[transaction] = 0;
    if (windows > 0) return;
    const uint8_t *last = answer + 9 + 2 * (registers - 1);
    if ((last[0] << 8 | last[1]) != registers) fail("another value than expected");
}

int main(int argc, char **argv) {
    if (argc != 5 && argc != 6) fail("port, requests under way, registers, milliseconds");
    windows = argc == 6 ? atoi(argv[5]) : 0;
    int depth = atoi(argv[2]), registers = atoi(argv[3]);
    double duration_s = atoi(argv[4]) / 1e3;
    if (depth < 1 || depth > MOST || registers < 1 || registers > 125) fail("out of range");

    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int line = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    if (connect(line, (struct sockaddr *) &address, sizeof address) != 0) fail("connect");
    setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);

    int length = 9 + 2 * registers;
    static uint8_t bytes[MOST * 260];
    int held = 0;
    uint16_t asked = 0;
    long answered = 0;
    int under_way = depth;
    double start_s = now_s(), end_s = start_s;
    ask(line, depth, &asked, registers);
    // Leaves only when all is answered: closing earlier would reset the connection.
    while (under_way > 0) {
        ssize_t received = recv(line, bytes + held, sizeof bytes - held, 0);
        if (received <= 0) fail("the server is gone");
        held += received;
        int whole = held / length;
        for (int i = 0; i < whole; i++) check(bytes + i * length, registers);
        held -= whole * length;
        memmove(bytes, bytes + whole * length, held);
        under_way -= whole;
        if (end_s - start_s >= duration_s || whole == 0) continue;
        answered += whole;
        end_s = now_s();
        if (end_s - start_s >= duration_s) continue;
        ask(line, whole, &asked, registers);
        under_way += whole;
    }
    printf("%.0f\n", answered / (end_s - start_s));
    close(line);
    return 0;
}
