package io.margay.app.config.file;

import java.util.Map;

/// What each limit means, for the reference and the schema. A table.
final class LimitMeanings {
    static final Map<String, String> HTTP1 =
            Map.of(
                    "request-line-bytes-max", "Request line; over it 414.",
                    "head-bytes-max", "Whole head of a request; over it 431.",
                    "fields-max", "Header fields of a request; over it 431.",
                    "field-bytes-max",
                            "One header field of a request; over it 431; 0 means that only the"
                                    + " whole head is limited.",
                    "chunk-extension-bytes-max", "Chunk extensions of a message; over it 400.",
                    "trailer-bytes-max", "Trailer section; over it 400.",
                    "trailers-max", "Trailer fields; over it 400.",
                    "body-bytes-max", "Content of a request; over it 413; -1 means no limit.");

    static final Map<String, String> HTTP2 =
            Map.ofEntries(
                    Map.entry("streams-max", "Concurrent streams of a connection."),
                    Map.entry(
                            "executions-max",
                            "Streams of a connection that worker threads work on at a time;"
                                    + " others wait."),
                    Map.entry(
                            "first-window-bytes",
                            "Flow-control window of a stream until the application reads."),
                    Map.entry("stream-window-bytes", "Flow-control window of a stream."),
                    Map.entry("connection-window-bytes", "Flow-control window of a connection."),
                    Map.entry("head-bytes-max", "Whole head of a request; over it 431."),
                    Map.entry("fields-max", "Header fields of a request; over it 431."),
                    Map.entry(
                            "field-bytes-max",
                            "One header field of a request; over it 431; 0 means that only the"
                                    + " whole head is limited."),
                    Map.entry("target-bytes-max", "Request target; over it 414."),
                    Map.entry(
                            "header-block-bytes-max",
                            "Encoded head; beyond it the connection is closed."),
                    Map.entry(
                            "continuations-max",
                            "CONTINUATION frames of a head; beyond it the connection is"
                                    + " closed."),
                    Map.entry(
                            "decoded-bytes-max",
                            "Decoded head; beyond it the connection is closed."),
                    Map.entry("header-table-bytes", "Size of the HPACK table."),
                    Map.entry(
                            "settings-max",
                            "Settings in one frame; beyond it the connection is closed."),
                    Map.entry("trailers-max", "Trailer fields; over it the stream is reset."),
                    Map.entry(
                            "pending-bytes-max",
                            "Answers to SETTINGS and PING that the client does not take;"
                                    + " beyond it the connection is closed."),
                    Map.entry("overhead-max", "Budget for useless frames."),
                    Map.entry(
                            "overhead-per-second",
                            "What is given back to that budget each second."));

    static final Map<String, String> CONNECTION =
            Map.ofEntries(
                    Map.entry(
                            "head-timeout",
                            "Header timeout: from the first byte of a head to its last."),
                    Map.entry(
                            "idle-timeout",
                            "Keep-alive timeout: between a response and the next request."),
                    Map.entry(
                            "body-timeout",
                            "Body timeout: longest pause in a request's content; 15s with"
                                    + " upstreams."),
                    Map.entry(
                            "write-timeout",
                            "Write timeout: longest pause of a client that takes a" + " response."),
                    Map.entry("rate-grace", "Grace period before a minimum rate is asked for."),
                    Map.entry(
                            "body-rate-min",
                            "Minimum rate at which a client must send, in bytes per second."),
                    Map.entry(
                            "write-rate-min",
                            "Minimum rate at which a client must read, in bytes per second."),
                    Map.entry("requests-max", "Maximum number of requests on one connection."),
                    Map.entry("drain-bytes-max", "Unread content skipped to keep a connection."),
                    Map.entry("drain-timeout", "Time for skipping it."),
                    Map.entry("linger-bytes-max", "Input thrown away before a close."),
                    Map.entry("linger-timeout", "Time for throwing it away."),
                    Map.entry("linger-pause", "Longest pause of the client within it."),
                    Map.entry("input-buffer-bytes", "First size of the input buffer."),
                    Map.entry("output-buffer-bytes", "Size of the output buffer."),
                    Map.entry("response-head-bytes-max", "Head of a response."),
                    Map.entry("pending-bytes-max", "Output kept for a client that reads slowly."));

    static final Map<String, String> PEERS =
            Map.ofEntries(
                    Map.entry(
                            "request-head-bytes-max", "Head of a request to a peer; over it 431."),
                    Map.entry(
                            "interims-max", "Interim responses (1xx) to one request; over it 502."),
                    Map.entry(
                            "content-piece-bytes",
                            "Content that is taken from a client at a time."),
                    Map.entry(
                            "content-pause",
                            "How long a client may pause before a broken request is blamed"
                                    + " on it and not on the peer."),
                    Map.entry(
                            "content-rate-min",
                            "Rate below which a client counts as slow, in bytes per second."),
                    Map.entry("continue-wait", "How long content waits for the 100 of a peer."),
                    Map.entry(
                            "replay-bytes-max", "Content kept so that another peer can be asked."),
                    Map.entry(
                            "held-response-bytes-max",
                            "Size up to which a response is held until it is complete."),
                    Map.entry(
                            "open-response-held",
                            "How long a response without a declared length is held."),
                    Map.entry("upgraded-idle", "Idle timeout of a WebSocket."),
                    Map.entry(
                            "silence",
                            "How long an HTTP/2 peer may be silent before it is sent a"
                                    + " PING."));

    static final Map<String, String> PEER_RESPONSES =
            Map.of(
                    "head-bytes-max", "Whole head of a response; over it 502.",
                    "fields-max", "Header fields of a response; over it 502.",
                    "field-bytes-max",
                            "One header field of a response; over it 502; 0 means that only the"
                                    + " whole head is limited.",
                    "chunk-extension-bytes-max", "Chunk extensions of a response; over it 502.",
                    "trailer-bytes-max", "Trailer section of a response; over it 502.",
                    "trailers-max", "Trailer fields of a response; over it 502.");

    static final Map<String, String> LOGIN =
            Map.of(
                    "verifying-max",
                            "Passwords of files that are verified at the same time; 0 means half"
                                    + " of the processors, at least 1.",
                    "asking-max",
                            "Passwords that the users of the server are asked for at the same"
                                    + " time.",
                    "waiting-max", "Requests that wait for either; beyond it 503.",
                    "remembered-max", "Right passwords that are remembered.",
                    "remembered-for", "How long they are.",
                    "password-bytes-max", "A password; a longer one is wrong.",
                    "file-bytes-max", "A file of users or groups; over it 500.",
                    "bcrypt-cost-max",
                            "Cost of a bcrypt password in a file; beyond it the user cannot log"
                                    + " in.",
                    "rounds-max",
                            "Rounds of a SHA-crypt password in a file; beyond it the user cannot"
                                    + " log in.",
                    "answer-bytes-max", "Content of an answer of `auth-request`; over it 502.");

    static final Map<String, String> SERVLET =
            Map.of(
                    "parameters-max", "Parameters of a request; over it 413.",
                    "form-bytes-max", "Form read into parameters; over it 413.",
                    "parts-max", "Parts of a multipart body; over it 413.",
                    "part-header-bytes-max", "Header fields of one part.",
                    "sessions-max", "Sessions of one application.",
                    "async-timeout", "Default timeout of asynchronous requests.",
                    "dispatch-depth-max", "Forwards and includes nested in a request.");

    static final Map<String, String> MEMORY =
            Map.of("held-percent", "Share of the heap that all clients together can make it hold.");

    static final Map<String, String> WORKERS =
            Map.of(
                    "threads-max", "Maximum number of worker threads.",
                    "threads-kept", "Idle workers that are kept.",
                    "queued-max",
                            "Length of the queue of requests that wait for a thread; beyond"
                                    + " it 503.",
                    "idle-timeout", "Keep-alive of idle workers.");

    static final Map<String, String> POOL =
            Map.of(
                    "size-max",
                            "Maximum size of the pool; further requests for a connection"
                                    + " wait.",
                    "idle-min", "Idle connections that are kept.",
                    "wait-max", "Longest wait for a connection; 0s means no limit.",
                    "idle-timeout", "After which an unused connection is closed; 0s means never.",
                    "age-max", "After which a connection is replaced; 0s means never.",
                    "test-timeout", "For the test whether a connection still works.",
                    "leak-after",
                            "Leak detection: after this time a connection that is not given"
                                    + " back is reported in the log.");

    static final Map<String, String> LOCK_OUT =
            Map.of(
                    "failures-max", "Wrong passwords in a row; 0 means that nobody is locked out.",
                    "locked-for", "How long a name is locked out, from the latest attempt on.",
                    "names-max", "Names that are remembered; those that failed least go first.");

    static final Map<String, String> WAR =
            Map.of(
                    "entries-max", "Files and folders.",
                    "entry-bytes-max", "One file, unpacked.",
                    "total-bytes-max", "All files together, unpacked.",
                    "ratio-max", "Unpacked size over the size of the WAR.",
                    "name-chars-max", "Characters in the path of an entry.",
                    "directory-bytes-max", "The WAR's table of contents.");

    static final Map<String, String> PAGES =
            Map.of(
                    "development",
                    "Whether changed pages are noticed and compiled again, in WARs too, and"
                            + " errors show their source.",
                    "watch-folders",
                    "Whether changed pages of applications that are folders are noticed and"
                            + " compiled again.",
                    "check-interval",
                    "How long a page counts as unchanged after a look at its file.",
                    "precompile",
                    "Whether all pages are compiled at the start.");

    private LimitMeanings() {}
}
