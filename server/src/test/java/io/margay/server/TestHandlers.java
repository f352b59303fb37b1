package io.margay.server;

import io.margay.protocol.http.FieldList;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// Handlers that tests ask by path. Stateless.
final class TestHandlers {
    /// A block that runs where it may wait.
    interface Work {
        void run() throws IOException;
    }

    private TestHandlers() {}

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static void end(Exchange exchange, String text) throws IOException {
        byte[] bytes = bytes(text);
        exchange.end(bytes, 0, bytes.length);
    }

    static void write(Exchange exchange, String text) throws IOException {
        byte[] bytes = bytes(text);
        exchange.write(bytes, 0, bytes.length);
    }

    static Runnable unchecked(Work work) {
        return () -> {
            try {
                work.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    static Handler dispatched(Handler handler) {
        return exchange -> exchange.dispatch(unchecked(() -> handler.handle(exchange)));
    }

    /// Reads everything where it may wait.
    static String readAll(Exchange exchange) throws IOException {
        StringBuilder text = new StringBuilder();
        byte[] buffer = new byte[1000];
        for (int n = exchange.read(buffer, 0, 1000); n >= 0; n = exchange.read(buffer, 0, 1000)) {
            text.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
        }
        return text.toString();
    }

    /// Answers `METHOD PATH` on the loop.
    static void where(Exchange exchange) throws IOException {
        end(exchange, exchange.request().method() + " " + exchange.request().target().rawPath());
    }

    /// The repertoire.
    static void handle(Exchange exchange) throws IOException {
        String path = exchange.request().target().rawPath();
        switch (path) {
            case "/echo" -> exchange.dispatch(unchecked(() -> end(exchange, readAll(exchange))));
            case "/chunks" ->
                    exchange.dispatch(
                            unchecked(() -> {
                                write(exchange, "one");
                                write(exchange, "two");
                                end(exchange, "three");
                            }));
            case "/trailers" ->
                    exchange.dispatch(
                            unchecked(() -> {
                                exchange.trailers(() -> new FieldList().add("Sum", "42"));
                                end(exchange, "content");
                            }));
            case "/short" ->
                    exchange.dispatch(
                            unchecked(() -> {
                                exchange.fields().set("Content-Length", "10");
                                write(exchange, "four");
                                exchange.end();
                            }));
            case "/broken-off" -> exchange.dispatch(unchecked(() -> breakOff(exchange)));
            case "/long" ->
                    exchange.dispatch(
                            unchecked(() -> {
                                exchange.fields().set("Content-Length", "2");
                                write(exchange, "four");
                                exchange.end();
                            }));
            case "/204", "/205", "/304" -> bodyless(exchange, Integer.parseInt(path.substring(1)));
            case "/throws" -> throw new IllegalStateException("as the test asked");
            case "/dispatched/throws" ->
                    exchange.dispatch(() -> {
                        throw new IllegalStateException("as the test asked");
                    });
            case "/bad-field" -> {
                exchange.fields().add("X", "a\r\nSet-Cookie: evil=1");
                exchange.end();
            }
            case "/early" -> end(exchange, "early");
            case "/alien" -> Thread.startVirtualThread(unchecked(() -> end(exchange, "alien")));
            case "/async" ->
                    exchange.dispatch(() ->
                            Thread.startVirtualThread(
                                    unchecked(() -> {
                                        write(exchange, "as");
                                        end(exchange, "ync");
                                    })));
            case "/hints" -> {
                exchange.interim(103, new FieldList().add("Link", "</a.css>"));
                end(exchange, "hinted");
            }
            case "/poll" -> new PollingEcho(exchange).run();
            default -> {
                if (path.startsWith("/dispatched")) {
                    exchange.dispatch(unchecked(() -> where(exchange)));
                } else {
                    where(exchange);
                }
            }
        }
    }

    private static void breakOff(Exchange exchange) throws IOException {
        write(exchange, "begun");
        exchange.push();
        exchange.abort();
    }

    private static void bodyless(Exchange exchange, int status) throws IOException {
        exchange.status(status);
        if (status == 205) {
            exchange.fields().add("Content-Type", "text/plain").add("Content-Length", "14");
        }
        end(exchange, "not to be sent");
    }

    /// Echoes chunk by chunk on the loop, never waiting, never holding more than one buffer.
    static final class PollingEcho implements Runnable {
        private final Exchange exchange;
        private final byte[] buffer = new byte[4096];

        PollingEcho(Exchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public void run() {
            unchecked(this::go).run();
        }

        private void go() throws IOException {
            while (exchange.writable()) {
                int count = exchange.poll(buffer, 0, buffer.length);
                if (count < 0) {
                    exchange.end();
                    return;
                }
                if (count == 0) {
                    exchange.onReadable(this);
                    return;
                }
                exchange.offer(buffer, 0, count);
            }
            exchange.onWritable(this);
        }
    }
}
