/*
 * libmodbus as the other side of a link. Every line that comes in is a call, and is answered with
 * one line: "ok" and what was read, "exception" and its code, or "failed" and why.
 *
 *   client tcp <port> | client rtu <device> | server tcp | server rtu <device>
 */
#include <errno.h>
#include <modbus/modbus.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { UNIT = 1, ITEMS = 3000, TIMEOUT_S = 10 };

static int fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, modbus_strerror(errno));
    return 1;
}

static modbus_t *link_to(const char *kind, const char *where)
{
    modbus_t *ctx = strcmp(kind, "tcp") == 0
                        ? modbus_new_tcp("127.0.0.1", atoi(where))
                        : modbus_new_rtu(where, 19200, 'E', 8, 1);
    if (ctx == NULL) exit(fail("context"));
    modbus_set_slave(ctx, UNIT);
    modbus_set_response_timeout(ctx, TIMEOUT_S, 0);
    return ctx;
}

/* Inputs of a server; the test uses the same formulas. */
static modbus_mapping_t *filled_mapping(void)
{
    modbus_mapping_t *mapping = modbus_mapping_new(ITEMS, ITEMS, ITEMS, ITEMS);
    if (mapping == NULL) exit(fail("mapping"));
    for (int i = 0; i < ITEMS; i++) {
        mapping->tab_input_bits[i] = i % 3 == 0;
        mapping->tab_input_registers[i] = (uint16_t) (i * 7919);
    }
    return mapping;
}

static int serve(const char *kind, const char *where)
{
    modbus_t *ctx = link_to(kind, where);
    modbus_mapping_t *mapping = filled_mapping();
    uint8_t query[MODBUS_TCP_MAX_ADU_LENGTH];
    const int is_tcp = strcmp(kind, "tcp") == 0;
    int listener = -1;
    if (is_tcp) {
        struct sockaddr_in address;
        socklen_t length = sizeof address;
        listener = modbus_tcp_listen(ctx, 4);
        if (listener == -1) return fail("listen");
        getsockname(listener, (struct sockaddr *) &address, &length);
        printf("ready %d\n", ntohs(address.sin_port));
    } else {
        if (modbus_connect(ctx) == -1) return fail("open");
        printf("ready\n");
    }
    fflush(stdout);
    /* Bytes after an unknown function are discarded for this time. */
    modbus_set_response_timeout(ctx, 0, 10000);
    for (;;) {
        if (is_tcp && modbus_tcp_accept(ctx, &listener) == -1) return fail("accept");
        for (;;) {
            int length = modbus_receive(ctx, query);
            if (length > 0) modbus_reply(ctx, query, length, mapping);
            else if (length == -1 && is_tcp) break;
        }
        modbus_close(ctx);
    }
}

static void answer_items(int count, const uint16_t *items)
{
    printf("ok");
    for (int i = 0; i < count; i++) printf(" %u", items[i]);
    printf("\n");
}

static void answer(int result)
{
    if (result != -1) printf("ok\n");
    else if (errno > MODBUS_ENOBASE && errno < EMBXGTAR + 1) printf("exception %d\n", errno - MODBUS_ENOBASE);
    else printf("failed %s\n", modbus_strerror(errno));
}

static int numbers(uint16_t *into, int most)
{
    int count = 0;
    for (char *word; count < most && (word = strtok(NULL, " \n")) != NULL;) into[count++] = (uint16_t) atoi(word);
    return count;
}

static int number(void)
{
    const char *word = strtok(NULL, " \n");
    return word == NULL ? 0 : atoi(word);
}

static void read_items(modbus_t *ctx)
{
    uint8_t bits[MODBUS_MAX_READ_BITS];
    uint16_t items[MODBUS_MAX_READ_BITS];
    const int function = number();
    const int address = number();
    const int count = number();
    int read = -1;
    if (function == 1) read = modbus_read_bits(ctx, address, count, bits);
    if (function == 2) read = modbus_read_input_bits(ctx, address, count, bits);
    if (function == 3) read = modbus_read_registers(ctx, address, count, items);
    if (function == 4) read = modbus_read_input_registers(ctx, address, count, items);
    if (read == -1) {
        answer(read);
        return;
    }
    if (function <= 2) for (int i = 0; i < read; i++) items[i] = bits[i];
    answer_items(read, items);
}

static void write_items(modbus_t *ctx)
{
    uint8_t bits[MODBUS_MAX_READ_BITS];
    uint16_t items[MODBUS_MAX_READ_BITS];
    const int function = number();
    const int address = number();
    const int count = numbers(items, MODBUS_MAX_READ_BITS);
    for (int i = 0; i < count; i++) bits[i] = items[i] != 0;
    errno = EINVAL;
    if (function == 5) answer(modbus_write_bit(ctx, address, items[0]));
    else if (function == 6) answer(modbus_write_register(ctx, address, items[0]));
    else if (function == 15) answer(modbus_write_bits(ctx, address, count, bits));
    else if (function == 16) answer(modbus_write_registers(ctx, address, count, items));
    else answer(-1);
}

static void read_write(modbus_t *ctx)
{
    uint16_t written[MODBUS_MAX_WR_WRITE_REGISTERS + 1];
    uint16_t items[MODBUS_MAX_WR_READ_REGISTERS];
    const int address = number();
    const int count = number();
    const int write_address = number();
    const int write_count = numbers(written, MODBUS_MAX_WR_WRITE_REGISTERS + 1);
    int read = modbus_write_and_read_registers(ctx, write_address, write_count, written, address, count, items);
    if (read == -1) answer(read);
    else answer_items(read, items);
}

/* Sends raw bytes, the unit first; prints the bytes of the response PDU. */
static void send_raw(modbus_t *ctx, int header)
{
    uint8_t request[MODBUS_TCP_MAX_ADU_LENGTH];
    uint8_t response[MODBUS_TCP_MAX_ADU_LENGTH];
    uint16_t bytes[MODBUS_TCP_MAX_ADU_LENGTH];
    const int length = numbers(bytes, MODBUS_TCP_MAX_ADU_LENGTH);
    for (int i = 0; i < length; i++) request[i] = (uint8_t) bytes[i];
    int got = modbus_send_raw_request(ctx, request, length);
    if (got != -1) got = modbus_receive_confirmation(ctx, response);
    if (got == -1) {
        answer(got);
        return;
    }
    const int trailer = header == 1 ? 2 : 0;
    for (int i = header; i < got - trailer; i++) bytes[i - header] = response[i];
    answer_items(got - header - trailer, bytes);
}

static const struct {
    const char *order;
    float (*get)(const uint16_t *);
} floats[] = {
    {"ABCD", modbus_get_float_abcd},
    {"CDAB", modbus_get_float_cdab},
    {"BADC", modbus_get_float_badc},
    {"DCBA", modbus_get_float_dcba},
};

/* Values as libmodbus decodes them from registers: f32 in every order, integers in one. */
static void read_value(modbus_t *ctx)
{
    uint16_t items[4];
    const char *type = strtok(NULL, " \n");
    const char *order = strtok(NULL, " \n");
    const int address = number();
    if (modbus_read_registers(ctx, address, 4, items) == -1) {
        answer(-1);
        return;
    }
    if (strcmp(type, "s32") == 0) printf("ok %d\n", MODBUS_GET_INT32_FROM_INT16(items, 0));
    if (strcmp(type, "s64") == 0) printf("ok %lld\n", (long long) MODBUS_GET_INT64_FROM_INT16(items, 0));
    for (unsigned i = 0; i < 4 && strcmp(type, "f32") == 0; i++) {
        if (strcmp(order, floats[i].order) == 0) printf("ok %.9g\n", floats[i].get(items));
    }
}

/* Integers only: in current versions its float setters swap the bytes of every register. */
static void write_value(modbus_t *ctx)
{
    uint16_t items[4];
    const char *type = strtok(NULL, " \n");
    strtok(NULL, " \n");
    const int address = number();
    const long long value = atoll(strtok(NULL, " \n"));
    if (strcmp(type, "s32") == 0) MODBUS_SET_INT32_TO_INT16(items, 0, value);
    else MODBUS_SET_INT64_TO_INT16(items, 0, value);
    answer(modbus_write_registers(ctx, address, strcmp(type, "s32") == 0 ? 2 : 4, items));
}

static int call(const char *kind, const char *where)
{
    static char line[1 << 16];
    modbus_t *ctx = link_to(kind, where);
    if (modbus_connect(ctx) == -1) return fail("connect");
    printf("ready\n");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) != NULL) {
        const char *word = strtok(line, " \n");
        if (word == NULL) continue;
        if (strcmp(word, "read") == 0) read_items(ctx);
        else if (strcmp(word, "write") == 0) write_items(ctx);
        else if (strcmp(word, "mask") == 0) {
            const int address = number();
            const int and_mask = number();
            answer(modbus_mask_write_register(ctx, address, and_mask, number()));
        } else if (strcmp(word, "readwrite") == 0) read_write(ctx);
        else if (strcmp(word, "raw") == 0) send_raw(ctx, modbus_get_header_length(ctx));
        else if (strcmp(word, "value") == 0) read_value(ctx);
        else if (strcmp(word, "put") == 0) write_value(ctx);
        else printf("failed %s is not known\n", word);
        fflush(stdout);
    }
    modbus_close(ctx);
    modbus_free(ctx);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    const char *where = argc > 3 ? argv[3] : "0";
    return strcmp(argv[1], "server") == 0 ? serve(argv[2], where) : call(argv[2], where);
}
