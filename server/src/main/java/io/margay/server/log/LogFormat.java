package io.margay.server.log;

import io.margay.protocol.http.Authority;
import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeRequest;
import io.margay.server.exchange.LogFacts;
import io.margay.server.exchange.Relay;
import io.margay.server.exchange.TlsInfo;
import io.margay.server.exchange.UndecidedException;
import java.net.SocketAddress;
import java.text.SimpleDateFormat;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TimeZone;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What a line of the access log consists of. Immutable.
///
/// Formats are `common`, `combined`, `json`, or the format strings of Apache httpd's
/// `mod_log_config`.
public final class LogFormat {
    /// The argument of an address of which all groups are written, also after another:
    /// `%{groups}a`, `%{c,groups}a`.
    private static final String GROUPS = "groups";

    /// Before a pattern of `SimpleDateFormat`.
    private static final String JAVA_TIME = "java:";

    private static final String COMMON = "%h %l %u %t \"%r\" %>s %b";
    private static final long PROCESS = ProcessHandle.current().pid();
    private static final String COMBINED = COMMON + " \"%{Referer}i\" \"%{User-Agent}i\"";

    private final List<Consumer<LogLine>> items;
    private final Set<String> asks;

    private LogFormat(List<Consumer<LogLine>> items) {
        this(items, Set.of());
    }

    private LogFormat(List<Consumer<LogLine>> items, Set<String> asks) {
        this.items = List.copyOf(items);
        this.asks = Set.copyOf(asks);
    }

    /// The names of what applications are to tell for it, see [LogFacts].
    public Set<String> asks() {
        return asks;
    }

    /// Reads a format in the system's time zone.
    ///
    /// @throws LogFormatException for a directive that is unknown or malformed
    public static LogFormat of(String format) {
        return of(format, ZoneId.systemDefault());
    }

    /// Reads a format.
    public static LogFormat of(String format, ZoneId zone) {
        return switch (format) {
            case "json" -> new LogFormat(List.of(new JsonLine()));
            case "common" -> read(COMMON, zone);
            case "combined" -> read(COMBINED, zone);
            default -> read(format, zone);
        };
    }

    private static LogFormat read(String format, ZoneId zone) {
        Reader reader = new Reader(format, zone);
        return new LogFormat(reader.read(), reader.asks);
    }

    /// The line for an exchange that has just ended, without line end.
    ///
    /// @param valueMax characters of a value that a client has chosen
    String line(Exchange exchange, int valueMax, long endMillis, long tookNanos) {
        LogLine line = new LogLine(exchange, valueMax, endMillis, tookNanos);
        for (int i = 0; i < items.size(); i++) {
            items.get(i).accept(line);
        }
        return line.text.toString();
    }

    /// Translates a format string, left to right. Confined to one call.
    private static final class Reader {
        private final String format;
        private final ZoneId zone;
        private final List<Consumer<LogLine>> items = new ArrayList<>();
        private final Set<String> asks = new HashSet<>();
        private final StringBuilder literal = new StringBuilder();
        private int at;

        Reader(String format, ZoneId zone) {
            this.format = format;
            this.zone = zone;
        }

        List<Consumer<LogLine>> read() {
            while (at < format.length()) {
                char c = format.charAt(at++);
                if (c == '%') {
                    directive(at - 1);
                } else if (c == '\\' && at < format.length()) {
                    literal.append(escape(format.charAt(at++)));
                } else if (c < 0x20) {
                    throw new LogFormatException("a control character", at - 1);
                } else {
                    literal.append(c);
                }
            }
            endLiteral();
            return items;
        }

        private char escape(char c) {
            return switch (c) {
                case 't' -> '\t';
                case '"', '\\' -> c;
                default -> throw new LogFormatException("unknown escape \\" + c, at - 2);
            };
        }

        private void endLiteral() {
            if (!literal.isEmpty()) {
                String text = literal.toString();
                literal.setLength(0);
                items.add(line -> line.text.append(text));
            }
        }

        private void directive(int start) {
            boolean not = accept('!');
            List<Integer> statuses = statuses();
            if (not && statuses.isEmpty()) {
                throw new LogFormatException("! without status codes", start);
            }
            if (!accept('>')) {
                accept('<');
            }
            String argument = null;
            int argumentAt = at + 1;
            if (accept('{')) {
                int close = format.indexOf('}', at);
                if (close < 0) {
                    throw new LogFormatException("{ without }", at - 1);
                }
                argument = format.substring(at, close);
                at = close + 1;
            }
            if (at == format.length()) {
                throw new LogFormatException("an unfinished directive", start);
            }
            if (format.startsWith("^FB", at)) {
                at += 3;
                endLiteral();
                add(LogDurations.firstByte(argument, argumentAt), statuses, not);
                return;
            }
            char letter = format.charAt(at++);
            if (letter == '%' && argument == null && statuses.isEmpty()) {
                literal.append('%');
                return;
            }
            endLiteral();
            Consumer<LogLine> item =
                    argument == null ? plain(letter) : withArgument(letter, argument, argumentAt);
            if (item == null) {
                throw new LogFormatException(
                        "unknown directive " + format.substring(start, at), start);
            }
            add(item, statuses, not);
        }

        private void add(Consumer<LogLine> item, List<Integer> statuses, boolean not) {
            items.add(statuses.isEmpty() ? item : conditional(item, statuses, not));
        }

        private boolean accept(char c) {
            if (at < format.length() && format.charAt(at) == c) {
                at++;
                return true;
            }
            return false;
        }

        private List<Integer> statuses() {
            List<Integer> found = new ArrayList<>(2);
            while (at + 3 <= format.length() && isStatus(at)) {
                found.add(
                        100 * (format.charAt(at) - '0')
                                + 10 * (format.charAt(at + 1) - '0')
                                + (format.charAt(at + 2) - '0'));
                at += 3;
                accept(',');
            }
            return found;
        }

        private boolean isStatus(int from) {
            for (int i = from; i < from + 3; i++) {
                if (format.charAt(i) < '0' || format.charAt(i) > '9') {
                    return false;
                }
            }
            return true;
        }

        private static Consumer<LogLine> conditional(
                Consumer<LogLine> item, List<Integer> statuses, boolean not) {
            return line -> {
                if (statuses.contains(line.exchange.status()) != not) {
                    item.accept(line);
                } else {
                    line.text.append('-');
                }
            };
        }

        private @Nullable Consumer<LogLine> plain(char letter) {
            return switch (letter) {
                case 'h', 'a' -> line -> line.value(LogLine.address(line.exchange.remote()));
                case 'A' -> line -> line.value(LogLine.address(line.exchange.local()));
                case 'l' -> line -> line.text.append('-');
                case 'u' -> line -> line.value(line.exchange.remoteUser());
                case 't' -> commonTime();
                case 'r' -> LogFormat::requestLine;
                case 's' -> line -> line.number(line.exchange.status());
                case 'b' -> line -> line.numberOrDash(line.exchange.bytesSent());
                case 'B' -> line -> line.number(line.exchange.bytesSent());
                case 'D' -> line -> line.number(line.tookNanos / 1000);
                case 'T' -> line -> line.number(line.tookNanos / 1_000_000_000L);
                case 'm' -> line -> line.value(line.exchange.request().method());
                case 'U' -> LogFormat::path;
                case 'q' -> LogFormat::query;
                case 'H' -> line -> line.value(line.exchange.request().version().text());
                case 'v', 'V' -> LogFormat::host;
                case 'p' -> line -> line.number(LogLine.port(line.exchange.local()));
                case 'I' -> line -> line.number(line.exchange.wireBytesIn());
                case 'O' -> line -> line.number(line.exchange.wireBytesOut());
                case 'S' ->
                        line ->
                                line.number(
                                        line.exchange.wireBytesIn() + line.exchange.wireBytesOut());
                case 'P' -> line -> line.number(PROCESS);
                case 'R' -> LogFormat::handler;
                case 'f' -> line -> line.text.append('-');
                case 'X' -> LogFormat::connectionStatus;
                case 'k' -> line -> line.number(Math.max(0, line.exchange.requestNumber() - 1));
                case 'L' -> line -> line.value(line.exchange.requestId());
                default -> null;
            };
        }

        private @Nullable Consumer<LogLine> withArgument(char letter, String name, int nameAt) {
            return switch (letter) {
                case 'i' -> line -> line.value(line.exchange.request().field(name));
                case 'o' -> line -> line.value(line.exchange.fields().get(name));
                case 'C' -> line -> line.value(cookie(line.exchange.request(), name));
                case 'n' -> note(name);
                case 't' -> time(name, nameAt);
                case 'T' -> LogDurations.of(name, nameAt);
                case 'p' -> port(name, nameAt);
                case 'a', 'h' ->
                        name.endsWith(GROUPS)
                                ? line -> line.value(LogLine.groups(remote(line, name)))
                                : line -> line.value(LogLine.address(remote(line, name)));
                case 'A' ->
                        name.equals(GROUPS)
                                ? line -> line.value(LogLine.groups(line.exchange.local()))
                                : null;
                case 'e' -> variable("ENV:" + name);
                case 'x' -> tls(name);
                case 'P' -> process(name);
                default -> null;
            };
        }

        /// `%{c}a` is the other end of the connection, whoever the client is.
        private static SocketAddress remote(LogLine line, String which) {
            SocketAddress client = line.exchange.remote();
            return which.startsWith("c") ? line.exchange.notes().connected(client) : client;
        }

        /// What rules have set.
        private static Consumer<LogLine> variable(String name) {
            return line -> line.value(valueOf(name, line.exchange));
        }

        /// The request has been answered; a line has nothing of what does not come to an end.
        private static String valueOf(String name, Exchange exchange) {
            try {
                return exchange.notes().variable(exchange, name);
            } catch (UndecidedException e) {
                return "";
            }
        }

        /// Tomcat's letters that httpd has none for.
        private @Nullable Consumer<LogLine> fact(String name) {
            if (name.equals(LogFacts.SESSION_ID)
                    || name.equals(LogFacts.THREAD)
                    || name.startsWith(LogFacts.SESSION)
                    || name.startsWith(LogFacts.REQUEST)) {
                asks.add(name);
                return line -> {
                    LogFacts facts = line.exchange.notes().logFacts();
                    line.value(facts == null ? null : facts.get(name));
                };
            }
            return switch (name) {
                case "CONNECTION_ID" -> line -> line.number(line.exchange.connectionId());
                case "REQUEST_PATH" ->
                        line -> line.value(line.exchange.request().target().rawPath());
                case "HEAD_MS" -> LogDurations.firstByte("ms", 0);
                case "ATTEMPTS" -> line -> line.number(line.exchange.attempts());
                default -> LogDurations.ofMember(name);
            };
        }

        /// mod_ssl's variables; the rules' where the connection itself does not tell.
        private Consumer<LogLine> tls(String name) {
            Consumer<LogLine> fact = fact(name);
            return fact != null ? fact : tlsVariable(name);
        }

        private static Consumer<LogLine> tlsVariable(String name) {
            return switch (name) {
                case "SSL_PROTOCOL" ->
                        line -> {
                            TlsInfo tls = line.exchange.tls();
                            line.value(tls == null ? null : tls.protocol());
                        };
                case "SSL_CIPHER" ->
                        line -> {
                            TlsInfo tls = line.exchange.tls();
                            line.value(tls == null ? null : tls.cipherSuite());
                        };
                case "PROXY_AUTHORITY" -> told(ExchangeRequest.PROXY_AUTHORITY);
                case "PROXY_ALPN" -> told(ExchangeRequest.PROXY_ALPN);
                case "PROXY_UNIQUE_ID" -> told(ExchangeRequest.PROXY_UNIQUE_ID);
                case "HTTPS" -> line -> line.text.append(line.exchange.tls() == null ? "-" : "on");
                default -> variable("SSL:" + name);
            };
        }

        /// What a load balancer has told by the PROXY protocol.
        private static Consumer<LogLine> told(String attribute) {
            return line -> line.value((String) line.exchange.attribute(attribute));
        }

        private static @Nullable Consumer<LogLine> process(String what) {
            return switch (what) {
                case "pid" -> line -> line.number(PROCESS);
                case "tid" -> line -> line.number(line.exchange.id());
                case "hextid" -> line -> line.text.append(Long.toHexString(line.exchange.id()));
                default -> null;
            };
        }

        private Consumer<LogLine> commonTime() {
            LogTime.Cache cache = new LogTime.Cache();
            return line -> line.text.append(cache.common(line.startMillis, zone));
        }

        private Consumer<LogLine> time(String pattern, int offset) {
            boolean end = pattern.startsWith("end:");
            String rest = end ? pattern.substring(4) : pattern;
            String name = rest.startsWith("begin:") ? rest.substring(6) : rest;
            return switch (name) {
                case "sec" -> line -> line.number(millis(line, end) / 1000);
                case "msec" -> line -> line.number(millis(line, end));
                case "usec" -> line -> line.number(millis(line, end) * 1000);
                case "msec_frac" -> line -> line.fraction(millis(line, end) % 1000, 3);
                case "usec_frac" -> line -> line.fraction(millis(line, end) % 1000 * 1000, 6);
                default -> {
                    if (name.startsWith(JAVA_TIME)) {
                        yield javaTime(name.substring(JAVA_TIME.length()), end, offset);
                    }
                    DateTimeFormatter formatter =
                            LogTime.strftime(name, offset + pattern.length() - name.length());
                    yield line -> {
                        Instant instant = Instant.ofEpochMilli(millis(line, end));
                        line.escape(formatter.format(ZonedDateTime.ofInstant(instant, zone)));
                    };
                }
            };
        }

        /// As Java's `SimpleDateFormat` has it, which is no formatter that threads may share.
        private Consumer<LogLine> javaTime(String pattern, boolean end, int offset) {
            SimpleDateFormat format;
            try {
                format = new SimpleDateFormat(pattern, Locale.getDefault());
            } catch (IllegalArgumentException e) {
                throw new LogFormatException("a malformed date " + pattern, offset);
            }
            format.setTimeZone(TimeZone.getTimeZone(zone));
            return line -> {
                SimpleDateFormat own = (SimpleDateFormat) format.clone();
                line.escape(own.format(millis(line, end)));
            };
        }

        private static long millis(LogLine line, boolean end) {
            return end ? line.startMillis + line.tookNanos / 1_000_000 : line.startMillis;
        }

        /// mod_jk's notes about who answered; nobody makes others.
        private static Consumer<LogLine> note(String name) {
            return switch (name) {
                case "JK_WORKER_NAME" ->
                        line -> {
                            Relay relay = line.exchange.relay();
                            line.value(relay == null ? null : relay.upstream());
                        };
                case "JK_LB_LAST_NAME" ->
                        line -> {
                            Relay relay = line.exchange.relay();
                            line.value(relay == null ? null : relay.peer());
                        };
                default -> line -> line.text.append('-');
            };
        }

        private static Consumer<LogLine> port(String which, int offset) {
            return switch (which) {
                case "canonical", "local" ->
                        line -> line.number(LogLine.port(line.exchange.local()));
                case "remote" -> line -> line.number(LogLine.port(line.exchange.remote()));
                default ->
                        throw new LogFormatException(
                                "a port other than canonical, local, remote", offset);
            };
        }
    }

    private static void requestLine(LogLine line) {
        RequestHead head = line.exchange.request();
        if (head.method().equals("-")) {
            line.text.append('-');
            return;
        }
        line.escape(head.method()).text.append(' ');
        line.escape(head.target().raw()).text.append(' ').append(head.version().text());
    }

    /// The path, decoded where it can be.
    private static void path(LogLine line) {
        CanonicalPath path = line.exchange.path();
        line.value(path.error() == null ? path.path() : line.exchange.request().target().rawPath());
    }

    /// What httpd calls those who answer for another server.
    private static void handler(LogLine line) {
        line.text.append(line.exchange.relay() == null ? "-" : "proxy-server");
    }

    private static void query(LogLine line) {
        String query = line.exchange.request().target().rawQuery();
        if (query != null) {
            line.text.append('?');
            line.escape(query);
        }
    }

    private static void host(LogLine line) {
        line.value(Authority.host(line.exchange.request().target().authority()));
    }

    private static void connectionStatus(LogLine line) {
        boolean failed = line.exchange.failure() != null;
        line.text.append(failed ? 'X' : line.exchange.connectionKept() ? '+' : '-');
    }

    private static @Nullable String cookie(RequestHead head, String name) {
        for (String value : head.fields().all("Cookie")) {
            for (String pair : value.split(";")) {
                int equals = pair.indexOf('=');
                if (equals > 0 && pair.substring(0, equals).strip().equals(name)) {
                    return pair.substring(equals + 1).strip();
                }
            }
        }
        return null;
    }
}
