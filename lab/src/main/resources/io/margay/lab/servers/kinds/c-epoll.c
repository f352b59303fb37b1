/*
 * The least a server can do for a request: one thread, one epoll loop, one fixed answer.
 *
 * Reads and checks the request line and finds the end of the header, answers pipelined requests in
 * order, keeps connections open unless asked to close them. Request bodies are not supported. It
 * is the yardstick of the preset "limit" and nothing to put on a network: it listens on 127.0.0.1 only.
 *
 * With TLS defined it listens on a second port, too, for HTTPS by OpenSSL on the same descriptors.
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
#ifdef TLS
#include <openssl/err.h>
#include <openssl/ssl.h>
#endif

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
#ifdef TLS
    SSL *ssl;
#endif
    size_t used;
    char head[HEAD_BYTES_MAX];
};

static struct connection *connections[CONNECTIONS_MAX];

static void fail(const char *what) {
    perror(what);
    exit(1);
}

#ifdef TLS
static SSL_CTX *tls;
static int tls_listener = -1;

static SSL_CTX *tls_context(const char *certificate, const char *key) {
    SSL_CTX *made = SSL_CTX_new(TLS_server_method());
    if (made == NULL || SSL_CTX_use_certificate_chain_file(made, certificate) != 1 ||
        SSL_CTX_use_PrivateKey_file(made, key, SSL_FILETYPE_PEM) != 1) {
        ERR_print_errors_fp(stderr);
        exit(1);
    }
    SSL_CTX_set_read_ahead(made, 1); /* one read for each record in place of two */
    return made;
}

/* Bytes moved, 0 at the end, -1 with EAGAIN when there is nothing to do now. */
static ssize_t tls_result(SSL *ssl, int result) {
    if (result > 0) return result;
    int why = SSL_get_error(ssl, result);
    if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE) {
        errno = EAGAIN;
        return -1;
    }
    ERR_clear_error();
    return 0;
}
#endif

static ssize_t take_in(int fd, struct connection *c) {
    char *at = c->head + c->used;
    size_t room = sizeof c->head - c->used;
#ifdef TLS
    if (c->ssl != NULL) return tls_result(c->ssl, SSL_read(c->ssl, at, (int)room));
#endif
    return read(fd, at, room);
}

static void drop(int fd) {
#ifdef TLS
    if (connections[fd] != NULL) SSL_free(connections[fd]->ssl);
#endif
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
#ifdef TLS
    SSL *ssl = connections[fd]->ssl;
    if (ssl != NULL) return tls_result(ssl, SSL_write(ssl, bytes, (int)length)) == (ssize_t)length;
#endif
    return send(fd, bytes, length, MSG_NOSIGNAL) == (ssize_t)length;
}

/* Serves what has come in one read; 0 when there is nothing more to do now. */
static int serve(int fd) {
    struct connection *c = connections[fd];
    ssize_t n = take_in(fd, c);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (n <= 0) {
        drop(fd);
        return 0;
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
            return 0;
        }
        if (closing) {
            reply(fd, last_answer, sizeof last_answer - 1);
            drop(fd);
            return 0;
        }
        if (!reply(fd, answer, sizeof answer - 1)) {
            drop(fd);
            return 0;
        }
        start = blank + 4;
    }
    c->used = (size_t)(end - start);
    if (c->used == sizeof c->head) {
        drop(fd);
        return 0;
    }
    memmove(c->head, start, c->used);
#ifdef TLS
    return c->ssl != NULL && SSL_has_pending(c->ssl); /* read ahead, of which epoll does not know */
#else
    return 0;
#endif
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
#ifdef TLS
        c->ssl = NULL;
        if (listener == tls_listener) {
            c->ssl = SSL_new(tls);
            if (c->ssl == NULL || SSL_set_fd(c->ssl, fd) != 1) {
                drop(fd);
                continue;
            }
            SSL_set_accept_state(c->ssl);
        }
#endif
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

static int listen_in(int epoll, int port) {
    int listener = listen_on(port);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event) < 0) fail("epoll_ctl");
    return listener;
}

int main(int argc, char **argv) {
#ifdef TLS
    const int arguments = 5;
    const char *usage = "usage: c-epoll-server PORT TLS-PORT CERTIFICATE KEY\n";
#else
    const int arguments = 2;
    const char *usage = "usage: c-epoll-server PORT\n";
#endif
    if (argc != arguments) {
        fputs(usage, stderr);
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    if (epoll < 0) fail("epoll_create1");
    int listener = listen_in(epoll, atoi(argv[1]));
#ifdef TLS
    tls = tls_context(argv[3], argv[4]);
    tls_listener = listen_in(epoll, atoi(argv[2]));
#endif
    struct epoll_event events[EVENTS_MAX];
    for (;;) {
        int n = epoll_wait(epoll, events, EVENTS_MAX, -1);
        for (int i = 0; i < n; i++) {
            int fd = events[i].data.fd;
#ifdef TLS
            if (fd == tls_listener) {
                take(epoll, fd);
                continue;
            }
#endif
            if (fd == listener) {
                take(epoll, fd);
            } else {
                while (serve(fd)) {
                }
            }
        }
    }
}
