package io.margay.app.config;

import java.util.Map;

/// What each limit means, for the reference and the schema. A table.
final class LimitMeanings {
    static final Map<String, String> HTTP1 =
            Map.of(
                    "request-line-bytes-max", "Request line; over it 414.",
                    "head-bytes-max", "Whole head of a request; over it 431.",
                    "fields-max", "Header fields of a request; over it 431.",
                    "chunk-extension-bytes-max", "Chunk extensions of a message; over it 400.",
                    "trailer-bytes-max", "Trailer section; over it 400.",
                    "trailers-max", "Trailer fields; over it 400.",
                    "body-bytes-max", "Content of a request; over it 413; -1 means no limit.");

    static final Map<String, String> HTTP2 =
            Map.ofEntries(
                    Map.entry("streams-max", "Streams of a connection at a time."),
                    Map.entry("executions-max", "Of these, at work in threads; others wait."),
                    Map.entry("first-window-bytes", "Content sent ahead before any was read."),
                    Map.entry("stream-window-bytes", "Content sent ahead on one stream."),
                    Map.entry("connection-window-bytes", "Content sent ahead on all streams."),
                    Map.entry("head-bytes-max", "Whole head of a request; over it 431."),
                    Map.entry("fields-max", "Header fields of a request; over it 431."),
                    Map.entry("target-bytes-max", "Request target; over it 414."),
                    Map.entry("header-block-bytes-max", "Encoded head; over it the end."),
                    Map.entry("continuations-max", "Further frames of a head; over it the end."),
                    Map.entry("decoded-bytes-max", "Decoded head; over it the end."),
                    Map.entry("header-table-bytes", "Memory of what heads repeat."),
                    Map.entry("settings-max", "Settings in one frame; over it the end."),
                    Map.entry("trailers-max", "Trailer fields; over it the stream is reset."),
                    Map.entry("pending-bytes-max", "Answers not taken; over it the end."),
                    Map.entry("overhead-max", "Cost of frames that bring nothing."),
                    Map.entry("overhead-per-second", "What is forgiven of that each second."));

    static final Map<String, String> CONNECTION =
            Map.ofEntries(
                    Map.entry("head-timeout", "From the first byte of a head to its last."),
                    Map.entry("idle-timeout", "Between a response and the next request."),
                    Map.entry(
                            "body-timeout",
                            "Longest pause in a request's content; 15s with upstreams."),
                    Map.entry("write-timeout", "Longest pause in taking a response."),
                    Map.entry("rate-grace", "Waiting that is free before a rate is asked for."),
                    Map.entry("body-rate-min", "Bytes per second that a client must send."),
                    Map.entry("write-rate-min", "Bytes per second that a client must take."),
                    Map.entry("requests-max", "Requests on one connection."),
                    Map.entry("drain-bytes-max", "Unread content skipped to keep a connection."),
                    Map.entry("drain-timeout", "Time for skipping it."),
                    Map.entry("linger-bytes-max", "Input thrown away before a close."),
                    Map.entry("linger-timeout", "Time for that."),
                    Map.entry("linger-pause", "Longest pause of the client within it."),
                    Map.entry("input-buffer-bytes", "First size of the input buffer."),
                    Map.entry("output-buffer-bytes", "Size of the output buffer."),
                    Map.entry("response-head-bytes-max", "Head of a response."),
                    Map.entry("pending-bytes-max", "Output kept for a client that reads slowly."));

    static final Map<String, String> PEERS =
            Map.ofEntries(
                    Map.entry(
                            "request-head-bytes-max", "Head of a request to a peer; over it 431."),
                    Map.entry("interims-max", "Interim answers to one request; over it 502."),
                    Map.entry(
                            "content-piece-bytes",
                            "Content that is taken from a client at a time."),
                    Map.entry(
                            "content-pause",
                            "How long a slow client excuses a peer that breaks off."),
                    Map.entry(
                            "content-rate-min",
                            "Bytes per second that it must send not to be slow."),
                    Map.entry("continue-wait", "How long content waits for the 100 of a peer."),
                    Map.entry(
                            "replay-bytes-max", "Content kept so that another peer can be asked."),
                    Map.entry(
                            "held-answer-bytes-max",
                            "An answer up to which it is held until whole."),
                    Map.entry("open-answer-held", "How long one without a length is held."),
                    Map.entry("upgraded-idle", "How long nothing may move on a WebSocket."),
                    Map.entry(
                            "silence",
                            "How long an HTTP/2 peer may say nothing before it is asked."));

    static final Map<String, String> PEER_ANSWERS =
            Map.of(
                    "head-bytes-max", "Whole head of an answer; over it 502.",
                    "fields-max", "Header fields of an answer; over it 502.",
                    "chunk-extension-bytes-max", "Chunk extensions of an answer; over it 502.",
                    "trailer-bytes-max", "Trailer section of an answer; over it 502.",
                    "trailers-max", "Trailer fields of an answer; over it 502.");

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
            Map.of("held-percent", "What all clients together make it hold, of the heap.");

    static final Map<String, String> WORKERS =
            Map.of(
                    "threads-max", "Worker threads at most.",
                    "threads-kept", "Workers that stay when idle.",
                    "queued-max", "Requests that wait for a thread; over it 503.",
                    "idle-timeout", "After which an idle worker ends.");

    static final Map<String, String> POOL =
            Map.of(
                    "size-max", "Connections at most; further requests for one wait.",
                    "idle-min", "Connections kept though nobody uses them.",
                    "wait-max", "Longest wait for a connection; 0s means without end.",
                    "idle-timeout", "After which an unused connection is closed; 0s means never.",
                    "age-max", "After which a connection is replaced; 0s means never.",
                    "test-timeout", "For the test whether a connection still works.",
                    "leak-after", "After which one that is not given back is told in the log.");

    static final Map<String, String> LOCK_OUT =
            Map.of(
                    "failures-max", "Wrong passwords in a row; 0 means that nobody is locked out.",
                    "locked-for", "How long from the latest attempt on.",
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
                    "development", "Whether changed pages are noticed and translated anew.",
                    "check-interval", "With development: how long a page counts as unchanged.",
                    "precompile", "Whether all pages are translated at the start.");

    private LimitMeanings() {}
}
