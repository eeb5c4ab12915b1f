/*
 * Preloaded into a process, it blocks every call that opens, controls or closes one device until
 * the call is released. Each call and its thread are reported on descriptor 3; a byte on
 * descriptor 4 releases it. Calls of the main thread are reported but not blocked.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { report = 3, gate = 4, descriptors = 1024 };

static char is_ours[descriptors];

/* The wrapped call. */
#define NEXT(real, name) *(void **)&real = dlsym(RTLD_NEXT, name)

static void await(const char *call, unsigned long request) {
    char line[64];
    char go;
    int is_main = gettid() == getpid();
    int length = snprintf(line, sizeof line, "%s %s %lx\n", is_main ? "main" : "pool", call, request);
    if (write(report, line, length) != length) abort();
    if (!is_main && read(gate, &go, 1) != 1) abort();
}

static int known(int fd) {
    return fd >= 0 && fd < descriptors && is_ours[fd];
}

static int opened(const char *name, const char *path, int flags, mode_t mode) {
    int (*real)(const char *, int, ...);
    const char *device = getenv("WAITING_DEVICE");
    int is_device = device != NULL && strcmp(path, device) == 0;
    int fd;
    NEXT(real, name);
    if (is_device) await("open", flags & O_NONBLOCK);
    fd = real(path, flags, mode);
    if (is_device && fd >= 0 && fd < descriptors) is_ours[fd] = 1;
    return fd;
}

int open(const char *path, int flags, ...) {
    va_list more;
    mode_t mode;
    va_start(more, flags);
    mode = va_arg(more, mode_t);
    va_end(more);
    return opened("open", path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list more;
    mode_t mode;
    va_start(more, flags);
    mode = va_arg(more, mode_t);
    va_end(more);
    return opened("open64", path, flags, mode);
}

int ioctl(int fd, unsigned long request, ...) {
    int (*real)(int, unsigned long, ...);
    va_list more;
    void *argument;
    NEXT(real, "ioctl");
    va_start(more, request);
    argument = va_arg(more, void *);
    va_end(more);
    if (known(fd)) await("ioctl", request);
    return real(fd, request, argument);
}

int tcflush(int fd, int queue) {
    int (*real)(int, int);
    NEXT(real, "tcflush");
    if (known(fd)) await("tcflush", queue);
    return real(fd, queue);
}

int tcdrain(int fd) {
    int (*real)(int);
    NEXT(real, "tcdrain");
    if (known(fd)) await("tcdrain", 0);
    return real(fd);
}

static void await_close(int fd) {
    if (!known(fd)) return;
    await("close", 0);
    is_ours[fd] = 0;
}

int close(int fd) {
    int (*real)(int);
    NEXT(real, "close");
    await_close(fd);
    return real(fd);
}

/* libuv closes in this way. */
long syscall(long number, ...) {
    long (*real)(long, ...);
    long with[6];
    va_list more;
    int i;
    NEXT(real, "syscall");
    va_start(more, number);
    for (i = 0; i < 6; i++) with[i] = va_arg(more, long);
    va_end(more);
    if (number == SYS_close) await_close((int)with[0]);
    return real(number, with[0], with[1], with[2], with[3], with[4], with[5]);
}
