package io.margay.app.config.file;

import static io.margay.app.config.binding.Forms.section;

import io.margay.app.config.LimitSettings;
import io.margay.app.config.WorkerSettings;
import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Draft;
import io.margay.app.config.binding.Keys;
import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.login.LoginLimits;
import io.margay.protocol.http1.Http1Limits;
import io.margay.protocol.http2.Http2Limits;
import io.margay.server.config.HttpLimits;
import io.margay.server.config.MemoryLimits;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.servlet.deploy.WarLimits;
import io.margay.servlet.settings.ServletLimits;
import java.util.function.Function;

/// The sections `limits` and `workers`: each limit of each module, in its module's own record.
/// Stateless.
public final class LimitKeys {
    private static final Keys<Http1Limits> HTTP1 =
            Binding.of("the limits of HTTP/1 messages", Http1Limits.defaults())
                    .keys(
                            """
                            request-line-bytes-max: Request line; over it 414.
                            head-bytes-max: Whole head of a request; over it 431.
                            fields-max: Header fields of a request; over it 431.
                            field-bytes-max: One header field of a request; over it 431; 0 means
                              that only the whole head is limited.
                            chunk-extension-bytes-max: Chunk extensions of a message; over it 400.
                            trailer-bytes-max: Trailer section; over it 400.
                            trailers-max: Trailer fields; over it 400.
                            body-bytes-max: Content of a request; over it 413; -1 means no limit.
                            """);

    private static final Keys<Http2Limits> HTTP2 =
            Binding.of("the limits of HTTP/2", Http2Limits.defaults())
                    .keys(
                            """
                            streams-max: Concurrent streams of a connection; over it REFUSED_STREAM.
                              As many reset ones may still run.
                            executions-max: Streams of a connection that worker threads work on at a
                              time; others wait.
                            first-window-bytes: Flow-control window of a stream, half of the
                              connection's, until the application reads.
                            stream-window-bytes: Flow-control window of a stream.
                            connection-window-bytes: Flow-control window of a connection; beyond it
                              the connection is closed.
                            head-bytes-max: Whole head of a request; over it 431.
                            fields-max: Header fields of a request; over it 431.
                            field-bytes-max: One header field of a request; over it 431; 0 means
                              that only the whole head is limited.
                            target-bytes-max: Request target; over it 414.
                            header-block-bytes-max: Encoded head; beyond it the connection is
                              closed.
                            continuations-max: CONTINUATION frames of a head; beyond it the
                              connection is closed.
                            decoded-bytes-max: Decoded head; beyond it the connection is closed.
                            header-table-bytes: Size of the HPACK table.
                            settings-max: Settings in one frame; beyond it the connection is closed.
                            trailers-max: Trailer fields; over it the stream is reset.
                            pending-bytes-max: Answers to SETTINGS and PING that the client does not
                              take; beyond it the connection is closed.
                            overhead-max: Units of useless frames: a reset 8; SETTINGS 5; PING,
                              empty DATA, unknown ones 2; WINDOW_UPDATE, PRIORITY, CONTINUATION 1;
                              beyond it ENHANCE_YOUR_CALM.
                            overhead-per-second: Units forgiven each second; a completed message
                              forgives 5, a KiB of content 1.
                            """);

    private static final Keys<HttpLimits> CONNECTION =
            Binding.of("the limits of connections", HttpLimits.defaults())
                    .keys(
                            """
                            head-timeout: Header timeout: from the first byte of a head to its last;
                              then 408.
                            idle-timeout: Keep-alive timeout: between a response and the next
                              request; then silent close.
                            body-timeout: Body timeout: longest pause in a request's content; then
                              408; 15s with upstreams.
                            write-timeout: Write timeout: longest pause of a client that reads a
                              response; then reset.
                            rate-grace: Grace period before a minimum rate is asked for.
                            body-rate-min: Minimum rate at which a client must send, in bytes per
                              second of waiting; below it 408.
                            write-rate-min: Minimum rate at which a client must read, in bytes per
                              second of waiting; below it reset.
                            requests-max: Maximum number of requests on one connection; then
                              `Connection: close`.
                            drain-bytes-max: Unread content skipped to keep a connection; over it
                              close.
                            drain-timeout: Time for skipping it.
                            linger-bytes-max: Input discarded before a close, so that the client
                              sees an early answer, such as 413.
                            linger-timeout: Time for discarding it, as in nginx.
                            linger-pause: Longest pause of the client within it.
                            input-buffer-bytes: First size of the input buffer.
                            output-buffer-bytes: Size of the output buffer.
                            response-head-bytes-max: Head of a response; over it 500.
                            pending-bytes-max: Output kept for a client that reads slowly.
                            """);

    private static final Keys<ServletLimits> SERVLET =
            Binding.of("the limits of the container", ServletLimits.defaults())
                    .keys(
                            """
                            parameters-max: Parameters of a request; over it 413.
                            form-bytes-max: Form read into parameters; over it 413.
                            parts-max: Parts of a multipart body; over it 413.
                            part-header-bytes-max: Header fields of one part; over it 413.
                            sessions-max: Sessions of one application; then `getSession` throws.
                            async-timeout: Default timeout of asynchronous requests; then 500.
                            dispatch-depth-max: Forwards and includes nested in a request; over it
                              500.
                            """);

    private static final Keys<MemoryLimits> MEMORY =
            Binding.of("the limits of memory", MemoryLimits.defaults())
                    .keys(
                            """
                            held-percent: Share of the heap that all clients together can make it
                              hold.
                            """);

    private static final Keys<PeerLimits> PEERS =
            Binding.of("the limits of members", PeerLimits.defaults())
                    .keys(
                            """
                            request-head-bytes-max: Head of a request to a member; over it 431.
                            interims-max: Interim responses (1xx) to one request; over it 502.
                            content-piece-bytes: Content read from a client at a time.
                            content-pause: How long a client may pause in its content before an
                              aborted request is its fault, not the member's.
                            content-rate-min: Rate below which a client counts as slow, in bytes per
                              second.
                            continue-wait: How long content waits for the 100 of a member.
                            replay-bytes-max: Content kept for a retry at another member.
                            held-response-bytes-max: Size up to which a response is held until it is
                              complete.
                            open-response-held: How long a response without a declared length is
                              held.
                            upgraded-idle: Idle timeout of a WebSocket.
                            silence: How long an HTTP/2 member may be silent before a PING; as long
                              again: closed.
                            """);

    private static final Keys<Http1Limits> PEER_RESPONSES =
            Binding.of("the limits of responses of members", PeerLimits.defaults().responses())
                    .keys(
                            """
                            head-bytes-max: Whole head of a response; over it 502.
                            fields-max: Header fields of a response; over it 502.
                            field-bytes-max: One header field of a response; over it 502; 0 means
                              that only the whole head is limited.
                            chunk-extension-bytes-max: Chunk extensions of a response; over it 502.
                            trailer-bytes-max: Trailer section of a response; over it 502.
                            trailers-max: Trailer fields of a response; over it 502.
                            """);

    private static final Keys<LoginLimits> LOGIN =
            Binding.of("the limits of logins", LoginLimits.defaults())
                    .keys(
                            """
                            verifying-max: Passwords of files that are verified at the same time; 0
                              means half of the processors, at least 1.
                            asking-max: Passwords verified with the server's users at a time.
                            waiting-max: Requests that wait for either; beyond it 503.
                            remembered-max: Right passwords that are remembered.
                            remembered-for: How long they are.
                            password-bytes-max: A password; a longer one is wrong.
                            file-bytes-max: A file of users or groups; over it 500.
                            bcrypt-cost-max: Cost of a bcrypt password in a file; beyond it the user
                              cannot log in.
                            rounds-max: Rounds of a SHA-crypt password in a file; beyond it the user
                              cannot log in.
                            answer-bytes-max: Content of an answer of `auth-request`; over it 502.
                            """);

    static final Keys<WarLimits> WAR =
            Binding.of("the limits of a WAR", WarLimits.defaults())
                    .keys(
                            """
                            entries-max: Files and folders.
                            entry-bytes-max: One file, unpacked.
                            total-bytes-max: All files together, unpacked.
                            ratio-max: Unpacked size over the size of the WAR, beyond 100 MiB.
                            name-chars-max: Characters in the path of an entry.
                            directory-bytes-max: The WAR's table of contents.
                            """);

    private static final Keys<HttpLimits> HTTP =
            Binding.of("the limits of HTTP", HttpLimits.defaults())
                    .form("connection", section(CONNECTION), Function.identity(), Draft::become)
                    .form("http1", section(HTTP1))
                    .form("http2", section(HTTP2))
                    .keys(
                            """
                            connection: Limits and timeouts of connections.
                            http1: Limits of HTTP/1 messages.
                            http2: Limits of HTTP/2 streams and frames.
                            """);

    private static final Keys<PeerLimits> OF_PEERS =
            Binding.of("the limits of members", PeerLimits.defaults())
                    .form("peers", section(PEERS), Function.identity(), Draft::become)
                    .form("peer-responses", section(PEER_RESPONSES))
                    .keys(
                            """
                            peers: Limits of what the gateway exchanges with members.
                            peer-responses (responses): Limits of the responses of HTTP/1.1 members.
                            """);

    public static final Keys<LimitSettings> LIMITS =
            Binding.of("the limits", LimitSettings.defaults())
                    .part("http", HTTP)
                    .form("servlet", section(SERVLET))
                    .form("memory", section(MEMORY))
                    .keys(
                            """
                            servlet: Limits of the servlet container.
                            memory: Limits of the memory that clients can make the server hold; read
                              at start only.
                            """)
                    .part("peers", OF_PEERS)
                    .form("login", section(LOGIN))
                    .shape("war", WAR.shape())
                    .keys(
                            """
                            login: Limits of what clients that log in to hosts may cost.
                            war [as listed]: Limits of a WAR and of what it unpacks to; beyond them
                              it is refused.
                            """);

    private static final Keys<WorkerLimits> POOL =
            Binding.of("the workers", WorkerLimits.defaults())
                    .keys(
                            """
                            threads-max: Maximum number of worker threads.
                            threads-kept: Idle workers that are kept.
                            queued-max: Length of the queue of requests that wait for a thread;
                              beyond it 503.
                            idle-timeout: Keep-alive of idle workers.
                            """);

    public static final Keys<WorkerSettings> WORKERS =
            Binding.of("the workers", WorkerSettings.defaults())
                    .keys(
                            """
                            dispatch: Thread that runs a servlet: `inline` = the connection's loop
                              for quick servlets, else the pool; `pool` = platform threads;
                              `virtual` = a virtual thread per request.
                            """)
                    .part("limits", POOL);

    private LimitKeys() {}
}
