/*
 * The least a server can do for a request: one thread, one epoll loop, one fixed answer.
 *
 * Reads and checks the request line and finds the end of the header, answers pipelined requests in
 * order, keeps connections open unless asked to close them. Request bodies are not supported. It
 * is the yardstick of the preset "limit" and nothing to put on a network: it listens on 127.0.0.1 only.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CONNECTIONS_MAX = 65536, HEAD_BYTES_MAX = 8192, EVENTS_MAX = 256 };

#define HEAD                                  \
    "HTTP/1.1 200 \r\n"                       \
    "Content-Type: text/html;charset=UTF-8\r\n" \
    "Content-Length: 149\r\n"                 \
    "Date: Thu, 01 Jan 2026 00:00:00 GMT\r\n"

#define BODY                                                                          \
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head><title>Heartbeat</title></head>\n<body>\n" \
    "<h1>Heartbeat</h1>\n<p>Thu Jan 01 00:00:00 UTC 2026</p>\n</body>\n</html>\n"

static const char answer[] = HEAD "\r\n" BODY;
static const char last_answer[] = HEAD "Connection: close\r\n\r\n" BODY;

_Static_assert(sizeof BODY - 1 == 149, "the length is written into the head");

static const char refusal[] =
    "HTTP/1.1 400 \r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

struct connection {
    size_t used;
    char head[HEAD_BYTES_MAX];
};

static struct connection *connections[CONNECTIONS_MAX];

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void drop(int fd) {
    free(connections[fd]);
    connections[fd] = NULL;
    close(fd);
}

/* METHOD SP TARGET SP HTTP/1.x CRLF */
static int request_line_is_good(const char *line, const char *end) {
    const char *p = line;
    while (p < end && *p >= 'A' && *p <= 'Z') p++;
    if (p == line || p == end || *p++ != ' ' || p == end || *p != '/') return 0;
    while (p < end && *p > ' ' && *p < 127) p++;
    return end - p == 9 && memcmp(p, " HTTP/1.", 8) == 0;
}

/* Looks at each field line: name, colon; whether it is "Connection: close". */
static int fields_are_good(const char *p, const char *end, int *closing) {
    while (p < end) {
        const char *eol = memmem(p, (size_t)(end - p), "\r\n", 2);
        const char *colon = memchr(p, ':', (size_t)(eol - p));
        if (colon == NULL || colon == p) return 0;
        if (colon - p == 10 && strncasecmp(p, "connection", 10) == 0) {
            *closing = memmem(colon, (size_t)(eol - colon), "close", 5) != NULL;
        }
        p = eol + 2;
    }
    return 1;
}

/* One send; the answer is small enough for any socket buffer of a client that reads. */
static int reply(int fd, const char *bytes, size_t length) {
    return send(fd, bytes, length, MSG_NOSIGNAL) == (ssize_t)length;
}

static void serve(int fd) {
    struct connection *c = connections[fd];
    ssize_t n = read(fd, c->head + c->used, sizeof c->head - c->used);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n <= 0) {
        drop(fd);
        return;
    }
    c->used += (size_t)n;
    char *start = c->head;
    char *end = c->head + c->used;
    char *blank;
    while ((blank = memmem(start, (size_t)(end - start), "\r\n\r\n", 4)) != NULL) {
        char *eol = memmem(start, (size_t)(blank + 2 - start), "\r\n", 2);
        int closing = 0;
        if (!request_line_is_good(start, eol) || !fields_are_good(eol + 2, blank + 2, &closing)) {
            reply(fd, refusal, sizeof refusal - 1);
            drop(fd);
            return;
        }
        if (closing) {
            reply(fd, last_answer, sizeof last_answer - 1);
            drop(fd);
            return;
        }
        if (!reply(fd, answer, sizeof answer - 1)) {
            drop(fd);
            return;
        }
        start = blank + 4;
    }
    c->used = (size_t)(end - start);
    if (c->used == sizeof c->head) {
        drop(fd);
        return;
    }
    memmove(c->head, start, c->used);
}

static void take(int epoll, int listener) {
    for (;;) {
        int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) return;
        struct connection *c = fd < CONNECTIONS_MAX ? malloc(sizeof *c) : NULL;
        if (c == NULL) {
            close(fd);
            continue;
        }
        c->used = 0;
        connections[fd] = c;
        int on = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
        if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0) drop(fd);
    }
}

static int listen_on(int port) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) fail("socket");
    int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((unsigned short)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0) fail("bind");
    if (listen(fd, 1024) < 0) fail("listen");
    return fd;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: c-epoll-server PORT\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    int listener = listen_on(atoi(argv[1]));
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    if (epoll < 0) fail("epoll_create1");
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event) < 0) fail("epoll_ctl");
    struct epoll_event events[EVENTS_MAX];
    for (;;) {
        int n = epoll_wait(epoll, events, EVENTS_MAX, -1);
        for (int i = 0; i < n; i++) {
            if (events[i].data.fd == listener) {
                take(epoll, listener);
            } else {
                serve(events[i].data.fd);
            }
        }
    }
}
