/*
 * What the kernel's part of sending a file costs, by the calls it is sent with: CPU time of the
 * thread that sends, over the loopback, to a process that reads. Each way has its turn in each of
 * the rounds, every second time in reverse order; so it tells ways apart where other work goes on.
 *
 *   cc -O2 -o target/send-file lab/src/main/c/send-file.c && target/send-file 102400 [ROUNDS]
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { REQUEST = 140, HEAD = 300, FIRST = 16384, RECORD = 16406, WAYS = 8, ANSWERS = 40 };

static const char *const names[WAYS] = {
    "memory: head with MSG_MORE and 16 KiB, rest",
    "memory: head and rest in one call",
    "file kept open: head, sendfile",
    "file kept open: head with MSG_MORE, sendfile",
    "file kept open: TCP_CORK around both",
    "file opened: head with MSG_MORE, sendfile",
    "records of 16 KiB, a call each",
    "records of 16 KiB, a call each, MSG_MORE but for the last",
};
static int sock, kept;
static char *content, *copy, head[HEAD], path[] = "/tmp/send-file-XXXXXX";

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void pin(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    sched_setaffinity(0, sizeof set, &set);
}

static double micros(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static void wait_for(short events) {
    struct pollfd p = {sock, events, 0};
    if (poll(&p, 1, 10000) != 1) fail("poll");
}

static void put(const char *from, int count, int flags) {
    while (count > 0) {
        ssize_t n = send(sock, from, count, flags | MSG_NOSIGNAL);
        if (n < 0 && errno != EAGAIN) fail("send");
        if (n < 0) wait_for(POLLOUT);
        else from += n, count -= n;
    }
}

static void put_file(int file, int count) {
    off_t at = 0;
    while (count > 0) {
        ssize_t n = sendfile(sock, file, &at, count);
        if (n < 0 && errno != EAGAIN) fail("sendfile");
        if (n < 0) wait_for(POLLOUT);
        else count -= n;
    }
}

static void put_records(int count, int ahead) {
    for (int at = 0; at < count; at += RECORD) {
        int n = count - at < RECORD ? count - at : RECORD;
        put(content + at, n, at + n < count ? ahead : 0);
    }
}

static void answer(int way, int bytes) {
    int on = 1, off = 0, first = bytes < FIRST - HEAD ? bytes : FIRST - HEAD;
    switch (way) {
        case 0:
            memcpy(copy, head, HEAD);
            memcpy(copy + HEAD, content, first);
            put(copy, HEAD + first, first < bytes ? MSG_MORE : 0);
            put(content + first, bytes - first, 0);
            break;
        case 1: {
            struct iovec parts[2] = {{head, HEAD}, {content, bytes}};
            struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
            ssize_t n = sendmsg(sock, &message, MSG_NOSIGNAL);
            if (n < HEAD) fail("sendmsg");
            put(content + (n - HEAD), bytes - (n - HEAD), 0);
            break;
        }
        case 2:
            put(head, HEAD, 0);
            put_file(kept, bytes);
            break;
        case 3:
            put(head, HEAD, MSG_MORE);
            put_file(kept, bytes);
            break;
        case 4:
            setsockopt(sock, IPPROTO_TCP, TCP_CORK, &on, sizeof on);
            put(head, HEAD, 0);
            put_file(kept, bytes);
            setsockopt(sock, IPPROTO_TCP, TCP_CORK, &off, sizeof off);
            break;
        case 5: {
            struct stat seen;
            if (lstat(path, &seen)) fail("lstat");
            int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
            if (file < 0 || fstat(file, &seen)) fail("open");
            put(head, HEAD, MSG_MORE);
            put_file(file, bytes);
            close(file);
            break;
        }
        case 6:
            put_records(HEAD + bytes, 0);
            break;
        default:
            put_records(HEAD + bytes, MSG_MORE);
    }
}

/* The client: asks, and reads the whole answer. */
static void ask(const struct sockaddr_in *server, int bytes) {
    char request[REQUEST] = {0}, *into = malloc(65536);
    int on = 1;
    pin(1);
    sock = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(sock, (const struct sockaddr *)server, sizeof *server)) fail("connect");
    setsockopt(sock, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    while (send(sock, request, REQUEST, MSG_NOSIGNAL) == REQUEST) {
        for (int left = HEAD + bytes; left > 0;) {
            ssize_t n = recv(sock, into, left < 65536 ? left : 65536, 0);
            if (n <= 0) _exit(0);
            left -= n;
        }
    }
    _exit(0);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int count, char **arguments) {
    int bytes = count > 1 ? atoi(arguments[1]) : 0, rounds = count > 2 ? atoi(arguments[2]) : 40;
    if (bytes < 1 || rounds < 1) {
        fprintf(stderr, "usage: send-file BYTES [ROUNDS]\n");
        return 2;
    }
    struct sockaddr_in address = {AF_INET, 0, {htonl(INADDR_LOOPBACK)}, {0}};
    socklen_t length = sizeof address;
    int server = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    if (bind(server, (struct sockaddr *)&address, length) || listen(server, 1)) fail("listen");
    getsockname(server, (struct sockaddr *)&address, &length);
    pid_t client = fork();
    if (client == 0) ask(&address, bytes);
    pin(0);
    sock = accept(server, NULL, NULL);
    setsockopt(sock, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    fcntl(sock, F_SETFL, O_NONBLOCK);
    content = calloc(1, bytes + HEAD);
    copy = malloc(FIRST);
    kept = mkstemp(path);
    if (kept < 0 || write(kept, content, bytes) != bytes) fail(path);

    double *cost[WAYS];
    for (int way = 0; way < WAYS; way++) cost[way] = malloc(rounds * sizeof(double));
    for (int round = 0; round < rounds; round++) {
        for (int turn = 0; turn < WAYS; turn++) {
            int way = round % 2 ? WAYS - 1 - turn : turn;
            double spent = 0;
            for (int i = 0; i < ANSWERS; i++) {
                char request[REQUEST];
                for (int left = REQUEST; left > 0;) {
                    wait_for(POLLIN);
                    ssize_t n = recv(sock, request, left, 0);
                    if (n == 0 || (n < 0 && errno != EAGAIN)) fail("recv");
                    left -= n > 0 ? n : 0;
                }
                double before = micros();
                answer(way, bytes);
                spent += micros() - before;
            }
            cost[way][round] = spent / ANSWERS;
        }
    }
    printf("%d bytes; microseconds of CPU an answer: lower quartile, median of %d rounds\n",
           bytes, rounds);
    for (int way = 0; way < WAYS; way++) {
        qsort(cost[way], rounds, sizeof(double), ascending);
        printf("%7.1f %7.1f  %s\n", cost[way][rounds / 4], cost[way][rounds / 2], names[way]);
    }
    kill(client, SIGKILL);
    unlink(path);
    return 0;
}
