package io.margay.lab.generator;

import io.margay.lab.json.Json;
import io.margay.lab.json.JsonRecords;
import io.margay.lab.load.Change;
import io.margay.lab.load.LoadJob;
import io.margay.lab.load.LoadResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/// The lab's end of the generator. Confined to one thread, but for [#close].
public final class GeneratorProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader in;
    private final OutputStream out;
    private final Path log;

    /// Starts it.
    ///
    /// @param prefix words before the command, such as those that pin it to a core
    /// @param log where its standard error goes
    public GeneratorProcess(List<String> prefix, Path log) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-XX:+UseSerialGC",
                        "-Xms256m",
                        "-Xmx512m",
                        // For TLS: four packets of 16 KiB for each of 10 000 connections.
                        "-XX:MaxDirectMemorySize=1g",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Generator.class.getName()));
        process =
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start();
        this.log = log;
        in = process.inputReader(StandardCharsets.UTF_8);
        out = process.getOutputStream();
    }

    /// Has it look at what the job's paths give, which all later answers are compared with.
    ///
    /// @return for each path what is compared
    public List<String> learn(LoadJob job, Change change, String contains) throws IOException {
        Map<String, Object> question = new LinkedHashMap<>();
        question.put("learn", JsonRecords.tree(job));
        question.put("change", change.name());
        question.put("contains", contains);
        ask(question);
        Object words = answer().getOrDefault("learned", List.of());
        return Json.array(words).stream().map(String::valueOf).toList();
    }

    /// Measures.
    ///
    /// @param begun called when the first request is about to be sent
    /// @param progress called ten times a second with the answers so far
    /// @param ended called when the last answer that counts has arrived
    public LoadResult load(LoadJob job, Runnable begun, LongConsumer progress, Runnable ended)
            throws IOException {
        ask(Map.of("load", JsonRecords.tree(job)));
        while (true) {
            Map<String, Object> answer = answer();
            Object result = answer.get("result");
            if (result != null) {
                ended.run();
                return JsonRecords.record(LoadResult.class, result);
            }
            if (answer.containsKey("begun")) {
                begun.run();
            }
            if (answer.get("answers") instanceof Number count) {
                progress.accept(count.longValue());
            }
        }
    }

    private void ask(Map<String, Object> question) throws IOException {
        out.write((Json.line(question) + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private Map<String, Object> answer() throws IOException {
        String line = in.readLine();
        if (line == null) {
            throw new IOException("the load generator has ended; see " + log);
        }
        Map<String, Object> answer = Json.object(Json.parse(line));
        Object failure = answer.get("failed");
        if (failure != null) {
            throw new IOException(String.valueOf(failure));
        }
        return answer;
    }

    /// Its number.
    public long pid() {
        return process.pid();
    }

    /// Ends it. Thread-safe.
    @Override
    public void close() {
        process.destroy();
    }
}
