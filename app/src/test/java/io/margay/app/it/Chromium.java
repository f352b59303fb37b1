package io.margay.app.it;

import io.margay.testkit.program.Program;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// A headless Chromium, told what to do by the DevTools protocol. Confined to the thread of the
/// test; everything waits within a bound.
final class Chromium implements AutoCloseable {
    private static final int SECONDS_MAX = 60;
    private static final int MESSAGE_MAX = 64 * 1024 * 1024;
    private static final String LISTENING = "DevTools listening on ";

    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private int commands;

    private Chromium(Process process, String address) {
        this.process = process;
        socket =
                client.newWebSocketBuilder()
                        .buildAsync(URI.create(address), new Listener(messages))
                        .orTimeout(SECONDS_MAX, TimeUnit.SECONDS)
                        .join();
    }

    /// Starts a browser without a window.
    ///
    /// @param folder for its profile
    /// @param switches more words of the command line
    static Chromium start(Path folder, String... switches)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Program.of("chromium"),
                                "--headless=new",
                                "--no-sandbox", // Continuous integration is root.
                                "--disable-gpu",
                                "--disable-dev-shm-usage",
                                "--no-first-run",
                                "--disable-background-networking",
                                "--remote-debugging-port=0",
                                "--user-data-dir=" + folder.resolve("profile")));
        command.addAll(List.of(switches));
        command.add("about:blank");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        BlockingQueue<String> address = new LinkedBlockingQueue<>();
        Thread.ofVirtual().start(() -> read(process, address));
        String found = address.poll(SECONDS_MAX, TimeUnit.SECONDS);
        if (found == null || found.isEmpty()) {
            process.destroyForcibly();
            throw new AssertionError("chromium has not started");
        }
        return new Chromium(process, found);
    }

    private static void read(Process process, BlockingQueue<String> address) {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(LISTENING)) {
                    address.add(line.substring(LISTENING.length()).strip());
                }
            }
        } catch (IOException e) {
            // It has been killed, which is its usual end.
            address.add("");
        }
        address.add("");
    }

    /// Whole messages of the browser go into a queue.
    private static final class Listener implements WebSocket.Listener {
        private final BlockingQueue<String> messages;
        private final StringBuilder text = new StringBuilder();

        Listener(BlockingQueue<String> messages) {
            this.messages = messages;
        }

        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                messages.add(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return null;
        }
    }

    /// A page in a tab of its own.
    final class Tab {
        private final String session;

        private Tab(String session) {
            this.session = session;
        }

        /// The value of a JavaScript expression, as text.
        String evaluate(String expression) throws InterruptedException {
            Map<?, ?> result =
                    call(session, "Runtime.evaluate", "\"expression\":" + quoted(expression));
            if (result.containsKey("exceptionDetails")) {
                throw new AssertionError(expression + ": " + result);
            }
            return String.valueOf(((Map<?, ?>) result.get("result")).get("value"));
        }

        /// Goes to a page, and returns when the browser shows it.
        void go(String url) throws InterruptedException {
            Map<?, ?> _ = call(session, "Page.navigate", "\"url\":" + quoted(url));
        }

        /// Types into a field as a person would, and presses Enter.
        void type(String selector, String text) throws InterruptedException {
            String _ = evaluate("document.querySelector(" + quoted(selector) + ").focus()");
            Map<?, ?> _ = call(session, "Input.insertText", "\"text\":" + quoted(text));
            for (String type : List.of("keyDown", "keyUp")) {
                Map<?, ?> _ =
                        call(
                                session,
                                "Input.dispatchKeyEvent",
                                "\"type\":\""
                                        + type
                                        + "\",\"key\":\"Enter\",\"code\":\"Enter\","
                                        + "\"text\":\"\\r\","
                                        + "\"windowsVirtualKeyCode\":13");
            }
        }

        /// Gives the page a window of that width, and light or dark colours.
        void look(int width, boolean dark) throws InterruptedException {
            Map<?, ?> _ =
                    call(
                            session,
                            "Emulation.setDeviceMetricsOverride",
                            "\"width\":"
                                    + width
                                    + ",\"height\":900,\"deviceScaleFactor\":1,\"mobile\":false");
            Map<?, ?> _ =
                    call(
                            session,
                            "Emulation.setEmulatedMedia",
                            "\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\""
                                    + (dark ? "dark" : "light")
                                    + "\"}]");
        }

        /// The page from its top, so many pixels high, as PNG.
        byte[] picture(int width, int height) throws InterruptedException {
            Map<?, ?> shot =
                    call(
                            session,
                            "Page.captureScreenshot",
                            "\"format\":\"png\",\"captureBeyondViewport\":true,\"clip\":{\"x\":0,"
                                    + "\"y\":0,\"scale\":1,\"width\":"
                                    + width
                                    + ",\"height\":"
                                    + height
                                    + "}");
            return Base64.getDecoder().decode(String.valueOf(shot.get("data")));
        }

        /// Waits until an expression is true.
        void await(String expression) throws InterruptedException {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
            while (!evaluate("Boolean(" + expression + ")").equals("true")) {
                if (System.nanoTime() - end > 0) {
                    throw new AssertionError(
                            expression + " in " + evaluate("document.body.innerText"));
                }
                LockSupport.parkNanos(20_000_000L);
            }
        }
    }

    /// Opens a page and waits for it.
    Tab open(String url) throws InterruptedException {
        Map<?, ?> target = call(null, "Target.createTarget", "\"url\":" + quoted(url));
        Map<?, ?> attached =
                call(
                        null,
                        "Target.attachToTarget",
                        "\"flatten\":true,\"targetId\":"
                                + quoted(String.valueOf(target.get("targetId"))));
        Tab tab = new Tab(String.valueOf(attached.get("sessionId")));
        tab.await("location.href == " + quoted(url) + " && document.readyState == 'complete'");
        return tab;
    }

    private Map<?, ?> call(@Nullable String session, String method, String parameters)
            throws InterruptedException {
        int id = ++commands;
        String command =
                "{\"id\":"
                        + id
                        + (session == null ? "" : ",\"sessionId\":" + quoted(session))
                        + ",\"method\":\""
                        + method
                        + "\",\"params\":{"
                        + parameters
                        + "}}";
        socket.sendText(command, true).orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
        while (true) {
            String message = messages.poll(SECONDS_MAX, TimeUnit.SECONDS);
            if (message == null) {
                throw new AssertionError("chromium does not answer " + command);
            }
            // JSON is YAML.
            Map<?, ?> answer =
                    (Map<?, ?>)
                            new Load(LoadSettings.builder().setCodePointLimit(MESSAGE_MAX).build())
                                    .loadFromString(message);
            if (Integer.valueOf(id).equals(answer.get("id"))) {
                if (!(answer.get("result") instanceof Map<?, ?> result)) {
                    throw new AssertionError(command + " is answered " + message);
                }
                return result;
            }
        }
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\' || c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }

    @Override
    public void close() {
        socket.abort();
        client.shutdownNow();
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        process.destroyForcibly();
        for (ProcessHandle each : all) {
            each.destroyForcibly();
            each.onExit().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
        }
    }
}
