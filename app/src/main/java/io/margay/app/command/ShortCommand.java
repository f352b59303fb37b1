package io.margay.app.command;

import io.margay.app.cli.Arguments;
import io.margay.app.cli.Command;
import io.margay.app.cli.Command.Example;
import io.margay.app.cli.UsageException;
import io.margay.app.config.Endpoint;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.WorkFolder;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.docs.DocsCommand;
import io.margay.app.shadow.MoveRun;
import io.margay.app.shadow.OldConfig;
import io.margay.app.shadow.OldFiles;
import io.margay.app.shadow.ShadowRun;
import io.margay.app.startcache.StartCache;
import io.margay.app.yaml.Problem;
import io.margay.compat.account.AccountReport;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `margay proxy`, `margay files`, `margay docs`, `margay shadow` and `margay move`: what can be
/// said in one line, as the margay.yaml that it stands for. Run by the main thread.
record ShortCommand(
        String name,
        Arguments arguments,
        Map<String, String> environment,
        PrintStream stderr,
        boolean debug) {
    private static final String LISTEN =
            """
            LISTEN is [ADDR:]PORT. A port alone is one of 127.0.0.1; :PORT and *:PORT listen at
            every address of the machine. Default: 8080.
            """;

    static final Command PROXY =
            new Command(
                    "proxy",
                    "passes requests on to another server",
                    "[LISTEN] URL",
                    List.of(
                            Command.paragraph(
                                    """
                                    A gateway with one member at URL (http, https or ajp). WebSocket
                                    works; X-Forwarded-For, -Proto and -Host describe the client's
                                    request.
                                    """),
                            Command.paragraph(LISTEN)),
                    ServerOptions.after(),
                    List.of(
                            new Example(
                                    "margay proxy :8080 http://127.0.0.1:9000",
                                    "Port 8080 of every address leads to port 9000."),
                            new Example(
                                    "margay proxy ajp://127.0.0.1:8009",
                                    "In front of a Tomcat, at http://127.0.0.1:8080/.")));

    static final Command FILES =
            new Command(
                    "files",
                    "serves the files of a folder",
                    "[LISTEN] DIR",
                    List.of(
                            Command.paragraph(
                                    """
                                    Files whose names begin with a dot are not served; a folder
                                    shows its index.html.
                                    """),
                            Command.paragraph(LISTEN)),
                    ServerOptions.after(),
                    List.of(
                            new Example(
                                    "margay files .",
                                    "The current folder, at http://127.0.0.1:8080/."),
                            new Example(
                                    "margay files :80 /srv/www", "On port 80 of every address.")));

    static final Command DOCS = DocsCommand.command(ServerOptions.after());
    static final Command SHADOW = ShadowRun.command(LISTEN, ServerOptions.after());
    static final Command MOVE = MoveRun.command(LISTEN, ServerOptions.after());

    /// A report counts the requests of a long trace.
    private static final Duration REPORTED = Duration.ofSeconds(30);

    int run() throws UsageException {
        ServerOptions server = new ServerOptions(arguments, environment, debug);
        MargayConfig config = server.apply(config());
        boolean reads = name.equals(DOCS.name());
        Serving serving = new Serving(server.log(stderr), null);
        if (!reads) {
            return serving.serve(config, () -> StartCache.makeLater(CacheTraining.class));
        }
        try {
            return serving.serve(config, () -> {});
        } finally {
            DocsCommand.leave(config);
        }
    }

    /// `margay shadow`: serves until it is told to end, then says what came of it.
    ///
    /// @param out gets the report
    int shadow(PrintStream out) throws UsageException {
        ServerOptions server = new ServerOptions(arguments, environment, debug);
        ShadowRun run = new ShadowRun(arguments);
        MargayConfig config = server.apply(config());
        PrintStream log = server.log(stderr);
        int code = new Serving(log, null).serve(config, run::begin);
        return code == ExitCode.DONE && run.report(out, log) ? ExitCode.FAILED : code;
    }

    /// `margay move`: serves until it is told to end.
    ///
    /// @param out gets the report
    int move(PrintStream out) throws UsageException {
        ServerOptions server = new ServerOptions(arguments, environment, debug);
        MoveRun run = moving(server);
        if (run == null) {
            return ExitCode.FAILED;
        }
        boolean moved = false;
        try {
            Serving serving = new Serving(server.log(stderr), null);
            int code =
                    serving.serve(
                            run.config(), started -> run.begin(started, out, serving::leaveTo));
            // The report reads what the end deletes.
            moved = code == ExitCode.DONE && run.awaitMoved(REPORTED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            end(run);
        }
        return moved ? ExitCode.DONE : ExitCode.FAILED;
    }

    private void end(MoveRun run) {
        try {
            run.end();
        } catch (IOException e) {
            stderr.println("margay: " + e);
        }
    }

    /// What is to be done; null when the files of the old server have errors, which are told.
    @Nullable MoveRun moving(ServerOptions server) throws UsageException {
        OldConfig old = OldFiles.read(arguments.all("--config"), environment);
        if (old != null) {
            AccountReport.lines(old.account()).forEach(stderr::println);
        }
        if (old != null && old.account().stream().anyMatch(line -> line.verdict().isRefusal())) {
            stderr.println("margay: nothing is moved because of the errors above");
            return null;
        }
        return new MoveRun(arguments, ShortCommand::listen, yaml -> server.apply(read(yaml)), old);
    }

    /// What the words stand for.
    MargayConfig config() throws UsageException {
        if (name.equals(DOCS.name())) {
            return DocsCommand.config(arguments);
        }
        if (name.equals(SHADOW.name())) {
            return read(new ShadowRun(arguments).yaml(ShortCommand::listen));
        }
        List<String> words = arguments.operands();
        String target = words.isEmpty() ? "" : words.getLast();
        if (words.isEmpty() || words.size() > 2) {
            throw new UsageException("write \"margay " + usage() + "\"");
        }
        String listen = words.size() == 1 ? "8080" : listen(words.getFirst());
        if (target.matches(".*[\"\\\\\\p{Cntrl}].*")) {
            throw new UsageException("\"" + target + "\" has characters that it cannot have");
        }
        boolean proxies = name.equals(PROXY.name());
        if (proxies && !target.matches("(https?|ajp)://.+")) {
            throw new UsageException(
                    "\"" + target + "\" is not a URL, as in http://127.0.0.1:9000");
        }
        if (!proxies && !Files.isDirectory(Path.of(target))) {
            throw new UsageException("there is no folder " + target);
        }
        String route = proxies ? "/*: {gateway: \"%s\"}" : "/: {files: \"%s\"}";
        String text =
                "listeners: [{http: \"%s\"}]%nhosts: [{routes: {%s}}]%n"
                        .formatted(listen, route.formatted(target));
        return read(text);
    }

    private MargayConfig read(String text) throws UsageException {
        Path here = Path.of("").toAbsolutePath();
        ConfigFile.Result read = ConfigFile.of(text, here, "margay " + name);
        if (!read.problems().isEmpty()) {
            Problem first = read.problems().getFirst();
            throw new UsageException(first.message());
        }
        return read.get().withWork(WorkFolder.defaultIn(here));
    }

    private String usage() {
        Command command = name.equals(PROXY.name()) ? PROXY : FILES;
        return name + " " + command.operands();
    }

    private static String listen(String text) throws UsageException {
        String whole = text.startsWith(":") ? "*" + text : text;
        try {
            Endpoint _ = Endpoint.parse(whole);
        } catch (IllegalArgumentException e) {
            throw new UsageException("\"" + text + "\" is not [ADDR:]PORT: " + e.getMessage());
        }
        return whole;
    }
}
