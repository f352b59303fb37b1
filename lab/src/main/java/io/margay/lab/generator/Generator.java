package io.margay.lab.generator;

import io.margay.lab.json.Json;
import io.margay.lab.json.JsonRecords;
import io.margay.lab.load.Change;
import io.margay.lab.load.LoadJob;
import io.margay.lab.load.LoadResult;
import io.margay.lab.trace.Trace;
import io.margay.lab.wire.BodyTemplate;
import io.margay.lab.wire.TlsClient;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The load generator as a process of its own, so that it can be pinned to a core and its own CPU
/// time told from that of the lab. Single-threaded.
///
/// It reads one JSON object per line and answers with lines. `{"learn": JOB, "change": WORD,
/// "contains": TEXT}` fetches each path a few times and keeps what its content looks like;
/// `{"load": JOB}` measures. It ends with its input.
public final class Generator {
    /// A clock that shows seconds changes between the first and the last sample.
    private static final int SAMPLES_MAX = 7;

    private static final long SAMPLE_GAP_NANOS = 200_000_000L;

    /// The first request to a page may have it compiled, on a machine that has other work.
    private static final long FETCH_MILLIS_MAX = 60_000;

    private final Map<String, BodyTemplate> templates = new HashMap<>();
    private final Map<String, TlsClient> clients = new HashMap<>();

    /// Cookies of users who have logged in, by the port of their server.
    private final Map<Integer, List<String>> sessions = new HashMap<>();

    private final OutputStream out;

    Generator(OutputStream out) {
        this.out = out;
    }

    /// Serves its input.
    public static void main(String[] args) throws IOException {
        try (FileOutputStream out = new FileOutputStream(FileDescriptor.out);
                BufferedReader in =
                        new BufferedReader(
                                new InputStreamReader(
                                        new FileInputStream(FileDescriptor.in),
                                        StandardCharsets.UTF_8))) {
            Generator generator = new Generator(out);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                generator.answer(line);
            }
        }
    }

    private void answer(String line) throws IOException {
        Map<String, Object> question = Json.object(Json.parse(line));
        try {
            Object learn = question.get("learn");
            if (learn != null) {
                learn(
                        JsonRecords.record(LoadJob.class, learn),
                        Change.valueOf(String.valueOf(question.get("change"))),
                        String.valueOf(question.getOrDefault("contains", "")));
            } else {
                load(JsonRecords.record(LoadJob.class, question.getOrDefault("load", "")));
            }
        } catch (IOException | IllegalArgumentException e) {
            say(Map.of("failed", String.valueOf(e.getMessage())));
        }
    }

    private void load(LoadJob asked) throws IOException {
        Map<String, BodyTemplate> known = new HashMap<>();
        List<String> paths = new ArrayList<>();
        for (String session : sessions.getOrDefault(asked.port(), List.of(""))) {
            for (String path : asked.paths()) {
                String own = Logins.path(path, session);
                paths.add(own);
                BodyTemplate template = templates.get(asked.port() + path);
                if (template != null) {
                    known.put(own, template);
                }
            }
        }
        LoadJob job = asked.to(asked.port(), paths, asked.certificate());
        try (LoadLoop loop = new LoadLoop(job, tls(job), known, LoadLoop.TIMEOUT_NANOS)) {
            LoadResult result =
                    loop.run(
                            () -> say(Map.of("begun", true)),
                            answers -> say(Map.of("answers", answers)));
            say(Map.of("result", JsonRecords.tree(result)));
        }
    }

    private void learn(LoadJob job, Change change, String contains) throws IOException {
        List<String> words = new ArrayList<>();
        if (job.paths().stream().anyMatch(Logins::isOfUser)) {
            sessions.put(job.port(), Logins.of(job, tls(job)));
        } else {
            sessions.remove(job.port());
        }
        String session = sessions.getOrDefault(job.port(), List.of("")).getFirst();
        for (String path : job.paths()) {
            if (path.startsWith(TraceTargets.WORD)) {
                Trace trace = Trace.read(TraceTargets.file(path));
                words.add("status alone; the trace has " + trace.words());
                continue;
            }
            List<byte[]> samples = new ArrayList<>();
            samples.add(fetch(job, Logins.path(path, session)));
            boolean enough = change == Change.NEVER;
            while (!enough && samples.size() < SAMPLES_MAX) {
                LockSupport.parkNanos(SAMPLE_GAP_NANOS);
                samples.add(fetch(job, Logins.path(path, session)));
                enough =
                        change == Change.EACH_SECOND
                                && !Arrays.equals(samples.getFirst(), samples.getLast());
            }
            BodyTemplate template = BodyTemplate.of(samples);
            if (!template.contains(contains)) {
                throw new IOException(path + " is answered without \"" + contains + "\"");
            }
            templates.put(job.port() + path, template);
            words.add(path + ": " + template.words());
        }
        say(Map.of("learned", words));
    }

    private byte[] fetch(LoadJob job, String path) throws IOException {
        LoadJob one =
                LoadJob.closed(1, job.tls(), job.keepAlive())
                        .withStreams(Math.min(1, job.streams()))
                        .withQuic(job.quic())
                        .to(job.port(), List.of(path), job.certificate())
                        .lasting(1, 0, FETCH_MILLIS_MAX);
        try (LoadLoop loop = new LoadLoop(one, tls(job), Map.of(), FETCH_MILLIS_MAX * 1_000_000)) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            loop.lanes().getFirst().check().captureIn(body);
            LoadResult result = loop.run(() -> {}, _ -> {});
            if (result.requests() == 0) {
                throw new IOException(
                        path + " is answered with: " + String.join(", ", result.errors().keySet()));
            }
            return body.toByteArray();
        }
    }

    private @Nullable TlsClient tls(LoadJob job) throws IOException {
        if (!job.tls()) {
            return null;
        }
        TlsClient client = clients.get(job.certificate());
        if (client == null) {
            client = new TlsClient(Path.of(job.certificate()));
            clients.put(job.certificate(), client);
        }
        return client;
    }

    private void say(Map<String, ?> answer) {
        try {
            out.write((Json.line(answer) + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
