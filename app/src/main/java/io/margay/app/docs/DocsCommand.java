package io.margay.app.docs;

import io.margay.app.cli.Arguments;
import io.margay.app.cli.Command;
import io.margay.app.cli.Command.Example;
import io.margay.app.cli.Option;
import io.margay.app.cli.UsageException;
import io.margay.app.config.Endpoint;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.yaml.Problem;
import io.margay.servlet.deploy.Folders;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `margay docs`: the documentation as a site, served or written to a folder. Stateless; run by the
/// main thread.
public final class DocsCommand {
    private static final System.Logger LOG = System.getLogger(DocsCommand.class.getName());

    private static final String HTTP = "--http";
    private static final String TO = "--to";
    private static final String PORT = "8090";

    private DocsCommand() {}

    /// The command.
    ///
    /// @param shared the options of every command that serves
    public static Command command(List<Option> shared) {
        List<Option> options =
                new ArrayList<>(
                        List.of(
                                Option.of(
                                        HTTP,
                                        "[ADDR:]PORT",
                                        "Listens for HTTP there. A port alone listens at 127.0.0.1."
                                                + " Default: 127.0.0.1:"
                                                + PORT
                                                + "."),
                                Option.of(
                                        TO,
                                        "DIR",
                                        "Writes the pages to this folder, to be published, and"
                                                + " serves nothing.")));
        options.addAll(shared);
        return new Command(
                "docs",
                "serves the documentation as a site",
                "",
                List.of(
                        Command.paragraph(
                                """
                                The pages of this version, with search. They need no connection to
                                anywhere else. Ctrl-C ends the server.
                                """)),
                options,
                List.of(
                        new Example("margay docs", "At http://127.0.0.1:" + PORT + "/."),
                        new Example("margay docs --http 9000", "On another port."),
                        new Example(
                                "margay docs --to /srv/www/margay",
                                "Plain files, for another web server.")));
    }

    /// The folder to write the pages to, if the pages are to be written.
    public static Optional<Path> target(Arguments arguments) throws UsageException {
        if (arguments.has(TO) && arguments.has(HTTP)) {
            throw new UsageException(
                    TO + " writes the pages and " + HTTP + " serves them: give one");
        }
        return arguments.value(TO).map(Path::of);
    }

    /// Writes the pages.
    ///
    /// @throws StartException if that fails
    public static void write(Path target, PrintStream out) {
        try {
            Path home = home();
            int pages =
                    Files.exists(packed(home).resolve("index.html"))
                            ? Site.copySite(packed(home), target)
                            : Site.of(home).write(target);
            out.println(target + ": " + pages + " pages");
        } catch (IOException | UncheckedIOException e) {
            throw new StartException("the documentation cannot be written: " + e.getMessage(), e);
        }
    }

    /// The server of the pages.
    public static MargayConfig config(Arguments arguments) throws UsageException {
        Optional<Endpoint> _ = arguments.value(HTTP, Endpoint::parse);
        String text =
                """
                listeners: [{http: "%s"}]
                hosts:
                  - routes: {/: {files: .}}
                    response-headers:
                      - {set: Content-Security-Policy, value: "%s; frame-ancestors 'none'"}
                      - {set: X-Content-Type-Options, value: nosniff}
                      - {set: Referrer-Policy, value: no-referrer}
                """
                        .formatted(arguments.value(HTTP).orElse(PORT), PageFrame.POLICY);
        ConfigFile.Result read = ConfigFile.of(text, folder(home()), "margay docs");
        if (!read.problems().isEmpty()) {
            Problem first = read.problems().getFirst();
            throw new UsageException(first.message());
        }
        try {
            return read.get().withWork(Files.createTempDirectory("margay-docs-"));
        } catch (IOException e) {
            throw new StartException("no folder can be made: " + e.getMessage(), e);
        }
    }

    /// Deletes what a server of [#config] has left.
    public static void leave(MargayConfig config) {
        try {
            Folders.delete(config.work());
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "{0} could not be deleted: {1}", config.work(), e.toString());
        }
    }

    private static Path home() {
        String home = System.getProperty("margay.home");
        if (home == null) {
            throw new StartException("the documentation is in the distribution: use ./margay");
        }
        return Path.of(home).toAbsolutePath();
    }

    private static Path packed(Path home) {
        return home.resolve("site");
    }

    /// The pages as the distribution has them; in a checkout they are rendered now.
    private static Path folder(Path home) {
        Path packed = packed(home);
        if (Files.exists(packed.resolve("index.html"))) {
            return packed;
        }
        if (!Files.exists(home.resolve("pom.xml"))) {
            throw new StartException("there is no documentation here: " + packed + " is missing");
        }
        Path made = home.resolve("target/site");
        try {
            int _ = Site.of(home).write(made);
        } catch (IOException | UncheckedIOException e) {
            throw new StartException("the documentation cannot be rendered: " + e.getMessage(), e);
        }
        return made;
    }
}
